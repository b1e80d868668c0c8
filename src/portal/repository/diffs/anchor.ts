import { createHash } from 'node:crypto'
import type { DiffLine } from '../../../platform/git/index.ts'

/** The name of a file's part of a page; stable, so that links to it are. */
export const anchorOf = (path: string): string => `diff-${createHash('sha1').update(path).digest('hex').slice(0, 16)}`

/** The name of a line in the part of its file; stable too. */
export const lineNameOf = (anchor: string, { old_line, new_line }: Pick<DiffLine, 'old_line' | 'new_line'>): string =>
  `${anchor}-${new_line === null ? `L${old_line}` : `R${new_line}`}`
