/** Files for tests. */

/** The header of a PNG of this many pixels, which is all that is ever read of one. */
export function png(width: number, height = width): Buffer {
  const header = Buffer.alloc(33)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header)
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  header.set([8, 6], 24)
  return header
}

/** A multipart body with one file and fields. */
export function formWith(name: string, filename: string, bytes: Buffer | string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set(name, new Blob([new Uint8Array(Buffer.from(bytes))]), filename)
  return form
}
