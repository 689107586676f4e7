// Whether there is a server behind the page, and whether it can be reached just now.

/** The page came as one file, or in a folder that anybody's web space serves: there never is a server. */
export const ALONE = 'alone' in document.documentElement.dataset

/** Where a file lies that came with the page. */
export const beside = (name: string) => new URL(ALONE ? name : `/${name}`, document.baseURI).href

/** `asked` until the first answer; `away` where the last thing asked got no answer at all; `none` where there never is one. */
export type Reached = 'asked' | 'here' | 'away' | 'none'

let reached = $state<Reached>(ALONE ? 'none' : 'asked')

export const server = {
  get state(): Reached {
    return reached
  },
}

/** A request that is answered by our server, or by nobody: what a proxy or a hotel's network says is no answer. */
export async function requested(address: string, options?: RequestInit): Promise<Response> {
  if (ALONE) throw new TypeError('there is no server')
  try {
    const response = await fetch(address, options)
    const type = response.headers.get('Content-Type') ?? ''
    // Our server has no HTML there, and is never out of reach of itself.
    const nobody = type.startsWith('text/html') || ([502, 504].includes(response.status) && !type.includes('json'))
    if (nobody) throw new TypeError(response.statusText)
    reached = 'here'
    return response
  } catch (error) {
    reached = 'away'
    throw error
  }
}
