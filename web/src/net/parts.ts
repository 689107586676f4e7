// The large parts of the page: the engine and the network's weights. Fetched when they are needed, never before.
import { PARTS } from 'virtual:parts'

export type Part = keyof typeof PARTS

/** The bytes of a part. `onprogress` is told how much has come, from 0 to 1. */
export async function part(name: Part, onprogress: (share: number) => void = () => {}): Promise<ArrayBuffer> {
  const { address, size } = PARTS[name]
  const response = await fetch(address ?? `data:application/octet-stream;base64,${inThePage(name)}`)
  if (!response.ok || !response.body) throw new TypeError(`${name}: ${response.status}`)
  let come = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      come += bytes.length
      // The length that a server tells is that of what comes compressed.
      onprogress(Math.min(1, come / size))
      controller.enqueue(bytes)
    },
  })
  return new Response(response.body.pipeThrough(counted)).arrayBuffer()
}

/** Where the page is one file, as `baghdad export-game` writes it. */
function inThePage(name: Part): string {
  const found = document.getElementById(`part-${name}`)?.textContent?.trim()
  if (!found) throw new TypeError(`${name} is not in the page`)
  return found
}
