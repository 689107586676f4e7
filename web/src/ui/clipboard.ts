// Copying a link that stands in a field.

/** Copies what is in a field; false where it is only selected, and has to be copied by hand. */
export async function copyFrom(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    // Browsers lend the clipboard to safe addresses only, and that of a machine in the room is not one.
    field.select()
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- and there is no other way then
    return document.execCommand('copy')
  }
}
