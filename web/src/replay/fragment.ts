// A game record in the address itself, behind the #: deflated, and written with letters that need no escape.
// What stands there is never sent to a server.
import { RECORD_LENGTH } from '../wire/messages'

/** Bytes unpacked at a time: deflate makes a thousand of one, and a browser makes all that it is given at once. */
const SLICE = 256

/** What is packed into a link is longer than any game. */
export class TooLongError extends Error {}

export async function pack(text: string): Promise<string> {
  const piped = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = new Uint8Array(await new Response(piped).arrayBuffer())
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The text again; throws where the address was cut or changed, and stops where it grows too long. */
export async function unpack(fragment: string): Promise<string> {
  const letters = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  const reader = inSlices(packed).pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    text += decoder.decode(value, { stream: true })
    if (text.length > RECORD_LENGTH) {
      void reader.cancel().catch(() => {})
      throw new TooLongError()
    }
  }
}

/** A slice when it is asked for, so that what is not wanted any more is never unpacked. */
function inSlices(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.subarray(at, (at += SLICE)))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
