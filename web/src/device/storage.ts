// What stays on this device, in the browser's storage.

/** Something kept on this device; the fallback where there is nothing, or storage is forbidden. */
export function saved<T>(place: string, fallback: T): T {
  try {
    const text = localStorage.getItem(place)
    return text === null ? fallback : ((JSON.parse(text) as T | null) ?? fallback)
  } catch {
    return fallback
  }
}

export function save(place: string, value: unknown): void {
  try {
    localStorage.setItem(place, JSON.stringify(value))
  } catch {
    // Without storage everything works, and is forgotten when the page is closed.
  }
}

export function drop(place: string): void {
  try {
    localStorage.removeItem(place)
  } catch {
    // Nothing was kept.
  }
}
