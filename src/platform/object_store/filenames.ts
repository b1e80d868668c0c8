/** Names of uploaded files, as they are kept: safe in addresses, headers and folders alike. */

/** A name of at most 255 characters of `[A-Za-z0-9._-]` with letters of all scripts; `standard` where nothing is left of it. */
export function safeFilename(given: string, standard: string): string {
  const name = given
    .normalize('NFC')
    .toWellFormed()
    .replace(/[^\p{L}\p{M}\p{N}._+-]+/gu, '_')
    // One dot at the beginning is part of a name; several would be a folder.
    .replace(/^\.{2,}/, '')
    .slice(-200)
    .toWellFormed()
  return /[\p{L}\p{N}]/u.test(name) ? name : standard
}
