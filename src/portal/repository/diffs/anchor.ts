import { createHash } from 'node:crypto'

/** The name of a file's part of a page; stable, so that links to it are. */
export const anchorOf = (path: string): string => `diff-${createHash('sha1').update(path).digest('hex').slice(0, 16)}`
