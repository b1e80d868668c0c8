/** What the texts of an issue name goes on meaning the same in another project, and the files in them go along. */

import { referencesOf } from '../../../collaboration/item_kinds/references.ts'
import { placeOf } from '../../../collaboration/markdown/links.ts'
import { epicsNamed, issuesNamed, mergeRequestsNamed } from '../../../collaboration/markdown/named.ts'
import type { Reference } from '../../../collaboration/markdown/references.ts'
import { referencesWithin, withReferences } from '../../../collaboration/markdown/rewriting.ts'
import { rewriteNotes } from '../../../collaboration/notes/copy.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { copyUploads } from '../../../spaces/uploads/commands.ts'

interface Way {
  readonly from: ProjectWithRole
  readonly to: ProjectWithRole
}

/** The signs of the references that depend on where they stand. */
const signs = { issue: '#', merge_request: '!', epic: '&' } as const
type Kind = keyof typeof signs
const isOfPlace = (reference: Reference): reference is Reference & { kind: Kind } => reference.kind in signs

/** A description as it is to stand in the other project; its files are there afterwards. */
export async function carryText(ctx: Context, way: Way, text: string | null): Promise<string | null> {
  if (text === null || way.from.id === way.to.id) return text
  const [carried] = await textsThere(ctx, way, [text])
  return carried ?? text
}

/** The same for all that was said about an issue, once it is said about its copy. */
export async function carryNotes(ctx: Context, way: Way, toIssueId: number): Promise<void> {
  if (way.from.id === way.to.id) return
  await rewriteNotes(ctx.db, toIssueId, bodies => textsThere(ctx, way, bodies))
}

async function textsThere(ctx: Context, way: Way, texts: readonly string[]): Promise<string[]> {
  const secrets = texts.flatMap(text => [...text.matchAll(/\/uploads\/([0-9a-f]{32})\//g)].map(([, secret]) => secret as string))
  await copyUploads(ctx.db, way.from.id, way.to.id, secrets)
  const rename = await renaming(ctx, way, texts.flatMap(referencesWithin))
  return texts.map(text => withReferences(text, rename))
}

/** How references are called in the other project, where they lead somewhere that the mover may know of; the others keep their words. */
async function renaming(ctx: Context, { from, to }: Way, references: readonly Reference[]) {
  // With a full path they mean the same everywhere.
  const named = references.filter(isOfPlace).filter(({ place }) => !place?.includes('/'))
  const nameOf = (reference: Reference) => ({ path: pathOf(from, reference), iid: Number(reference.name) })
  const of = (kind: Kind) => named.filter(reference => reference.kind === kind).map(nameOf)
  const found = {
    issue: await issuesNamed(ctx, of('issue')),
    merge_request: await mergeRequestsNamed(ctx, of('merge_request')),
    epic: await epicsNamed(ctx, of('epic')),
  }
  const there = { issue: to.full_path, merge_request: to.full_path, epic: to.namespace_full_path }
  const names = new Map(
    (Object.keys(signs) as Kind[]).flatMap(kind =>
      found[kind].map(({ path, iid }) => {
        const { short, full } = referencesOf(signs[kind], iid, path, null)
        return [`${path.toLowerCase()}${short}`, path === there[kind] ? short : full] as const
      }),
    ),
  )
  return (reference: Reference): string | undefined =>
    isOfPlace(reference) && !reference.place?.includes('/')
      ? names.get(`${pathOf(from, reference)}${signs[reference.kind]}${reference.name}`)
      : undefined
}

/** The full path, in lower case, of the project or group that a reference in a project is about. */
const pathOf = (from: ProjectWithRole, reference: Reference): string =>
  reference.kind === 'epic' ? (reference.place ?? from.namespace_full_path).toLowerCase() : (placeOf(reference, from) as string)
