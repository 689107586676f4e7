// A game record in the address itself, behind the #: deflated, and written with letters that need no escape.
// What stands there is never sent to a server.

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

export async function pack(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The text again; throws where the address was cut or changed. */
export async function unpack(fragment: string): Promise<string> {
  const letters = atob(fragment.replaceAll('-', '+').replaceAll('_', '/'))
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  return new TextDecoder('utf-8', { fatal: true }).decode(await through(packed, new DecompressionStream('deflate-raw')))
}
