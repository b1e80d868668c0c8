/**
 * Imports from a wing to one above it, by file: what is left of the time before the wings. The list may only shrink; when it is empty it goes.
 */
export const upwardImports: Readonly<Record<string, readonly string[]>> = {}
