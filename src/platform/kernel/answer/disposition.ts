/**
 * A `Content-Disposition` header (RFC 6266): an ASCII name for old clients, and the name itself where it has more.
 * Control characters and what would end the quotes are replaced. The second form stands only where it is needed, for
 * ruby-gitlab takes all that follows `filename=` for the name (clients.md b.9).
 */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const disposition = `${kind}; filename="${plain}"`
  if (plain === filename) return disposition
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename*=UTF-8''${encoded}`
}
