/** A file in conflict, as it is resolved: by a choice for each conflict, as a whole text, as one side has it, or not here. Pure. */
import { createHash } from 'node:crypto'
import { textOfFile } from '../../../../code/repository/files/edited_text.ts'
import type { ConflictingPath, Leaf } from '../../../../platform/git/index.ts'
import { linesWithEnds, mergeLines, type Part } from './three_way.ts'

/** Bytes of a text that is merged here. */
export const MOST_BYTES = 200 * 1024

/** Why a file is resolved as a whole, or not here at all. */
export type Reason = 'deleted' | 'binary' | 'large' | 'names' | 'kinds' | 'submodule' | 'modes'

interface Named {
  /** Names the file in a form: paths can hold anything. */
  readonly key: string
  readonly path: string
}

/** Both sides are texts. */
export interface TextConflict extends Named {
  readonly kind: 'text'
  readonly mode: string
  readonly parts: readonly Part[]
  /** A key for each conflict in `parts`, which stays the same as long as both sides do. */
  readonly keys: readonly string[]
  readonly ours: Buffer
}

/** One side is taken as it is; undefined where that side deleted the file. */
export interface WholeConflict extends Named {
  readonly kind: 'whole'
  readonly reason: Reason
  readonly ours: Leaf | undefined
  readonly theirs: Leaf | undefined
}

/** Nothing that a page can decide. */
export interface OtherConflict extends Named {
  readonly kind: 'elsewhere'
  readonly reason: Reason
}

export type FileConflict = TextConflict | WholeConflict | OtherConflict

const keyOf = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)

const isFile = ({ mode }: Leaf): boolean => mode === '100644' || mode === '100755'

/** Kinds in which the path itself, and no other, is what both sides changed. */
const ownKinds: ReadonlySet<string> = new Set(['contents', 'binary', 'modify/delete'])

/** What can be done about a path, before its contents are known: `text` asks for them. */
export function shapeOf({ path, base, ours, theirs, kinds, isUnreadable }: ConflictingPath): Reason | 'text' {
  if (isUnreadable) return 'names'
  if ([base, ours, theirs].some(leaf => leaf?.mode === '160000') || [...kinds].some(kind => kind.startsWith('submodule')))
    return 'submodule'
  if ([...kinds].some(kind => !ownKinds.has(kind)) || kinds.size === 0 || (!ours && !theirs)) return 'kinds'
  if (path.includes('\n') || path.includes('\r')) return 'names'
  if (!ours || !theirs) return kinds.has('modify/delete') && base ? 'deleted' : 'kinds'
  if (!isFile(ours) || !isFile(theirs) || (base && !isFile(base))) return 'kinds'
  if (modeOf(base, ours, theirs) === undefined) return 'modes'
  return kinds.has('binary') ? 'binary' : 'text'
}

/** The mode after the merge: of the side that changed it; undefined where the sides differ and nothing says which. */
function modeOf(base: Leaf | undefined, ours: Leaf, theirs: Leaf): string | undefined {
  if (ours.mode === theirs.mode) return ours.mode
  if (!base) return undefined
  return ours.mode === base.mode ? theirs.mode : ours.mode
}

/** The contents of a path; undefined where they are too large. */
export interface Contents {
  readonly base: Buffer | undefined
  readonly ours: Buffer | undefined
  readonly theirs: Buffer | undefined
}

/** A path in conflict as people resolve it. */
export function fileConflictOf(found: ConflictingPath, contents: Contents | undefined): FileConflict {
  const { path, ours, theirs, base } = found
  const named = { key: keyOf(path), path }
  const shape = shapeOf(found)
  if (shape === 'names' || shape === 'kinds' || shape === 'submodule') return { ...named, kind: 'elsewhere', reason: shape }
  if (shape !== 'text') return { ...named, kind: 'whole', reason: shape, ours, theirs }
  const { ours: mine, theirs: other } = contents ?? {}
  if (mine === undefined || other === undefined) return { ...named, kind: 'whole', reason: 'large', ours, theirs }
  const before = contents?.base ?? Buffer.alloc(0)
  if ([before, mine, other].some(bytes => textOfFile(bytes) === undefined))
    return { ...named, kind: 'whole', reason: 'binary', ours, theirs }
  const parts = mergeLines(...([before, mine, other].map(bytes => linesWithEnds(bytes.toString('utf8'))) as [string[], string[], string[]]))
  return {
    ...named,
    kind: 'text',
    mode: modeOf(base, ours as Leaf, theirs as Leaf) as string,
    parts,
    keys: keysOf(path, parts),
    ours: mine,
  }
}

/** Equal conflicts of one file are counted, so that each has a key of its own. */
function keysOf(path: string, parts: readonly Part[]): string[] {
  const seen = new Map<string, number>()
  return parts.flatMap(part => {
    if (part.kind === 'settled') return []
    const key = keyOf(path, part.ours.join(''), part.theirs.join(''))
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    return [before === 0 ? key : `${key}-${before}`]
  })
}
