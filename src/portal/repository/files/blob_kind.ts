/** What a file is, as a page shows it. Pure. */

/** Pictures that browsers show, by the ending of the name. An SVG is shown as a picture, in which no script runs. */
const pictures: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
}

const endingOf = (path: string): string => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''

/** The media type of a picture by its name; undefined for what is none. */
export const pictureType = (path: string): string | undefined => pictures[endingOf(path)]

export const isPdf = (path: string): boolean => endingOf(path) === 'pdf'

/** Browsers show documents in viewers of their own, which a sandbox keeps away. Nothing that a document loads is allowed. */
export const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"

export const isMarkdown = (path: string): boolean => /^(md|markdown|mdown|mkdn?)$/.test(endingOf(path))

export const isAsciidoc = (path: string): boolean => /^(adoc|asciidoc|asc)$/.test(endingOf(path))

/** Bytes at the beginning in which a NUL says that a file is no text. */
const LOOKED_AT = 8_000

export const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, LOOKED_AT).includes(0)

/** A pointer of git-lfs in place of a file. */
export interface LfsPointer {
  readonly oid: string
  /** In bytes, of the file that it stands for. */
  readonly size: number
}

/** The pointer that a small file is; undefined for every other file. */
export function lfsPointer(text: string): LfsPointer | undefined {
  if (text.length > 1_024 || !text.startsWith('version https://git-lfs.github.com/spec/')) return undefined
  const [, oid] = /^oid sha256:([0-9a-f]{64})$/m.exec(text) ?? []
  const [, size] = /^size (\d{1,15})$/m.exec(text) ?? []
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) }
}
