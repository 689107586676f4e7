// Whether the browser keeps what happens at tables on this device; known once they are loaded.
let lasting = $state(true)

/** False where all of it is lost when the page is closed. */
export function isKept(): boolean {
  return lasting
}

export function noteKept(now: boolean): void {
  lasting = now
}
