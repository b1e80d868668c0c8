/** Rewrites the texts of an issue for another project: references keep their targets, and uploaded files are copied. */

import { type ItemKind, itemKinds } from '../../../collaboration/item_kinds/item_kind.ts'
import { referencesOf } from '../../../collaboration/item_kinds/references.ts'
import { itemPlaceOf } from '../../../collaboration/markdown/links.ts'
import type { Reference } from '../../../collaboration/markdown/references.ts'
import { referencesWithin, withReferences } from '../../../collaboration/markdown/rewriting.ts'
import { rewriteNotes } from '../../../collaboration/notes/writing/copy.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { copyUploads } from '../../../spaces/uploads/commands.ts'

interface Way {
  readonly from: ProjectWithRole
  readonly to: ProjectWithRole
}

/** The item kind of a reference; undefined for references that mean the same everywhere. */
const kindOf = (reference: Reference): ItemKind | undefined => itemKinds.value.find(({ noun }) => noun === reference.kind)

/** The description rewritten for the other project; copies its files there. */
export async function relocateText(ctx: Context, way: Way, text: string | null): Promise<string | null> {
  if (text === null || way.from.id === way.to.id) return text
  const [carried] = await textsThere(ctx, way, [text])
  return carried ?? text
}

/** Like `relocateText`, for all notes of the issue's copy. */
export async function relocateNotes(ctx: Context, way: Way, toIssueId: number): Promise<void> {
  if (way.from.id === way.to.id) return
  await rewriteNotes(ctx.db, toIssueId, bodies => textsThere(ctx, way, bodies))
}

async function textsThere(ctx: Context, way: Way, texts: readonly string[]): Promise<string[]> {
  const secrets = texts.flatMap(text => [...text.matchAll(/\/uploads\/([0-9a-f]{32})\//g)].map(([, secret]) => secret as string))
  await copyUploads(ctx.db, way.from.id, way.to.id, secrets)
  const rename = await renaming(ctx, way, texts.flatMap(referencesWithin))
  return texts.map(text => withReferences(text, rename))
}

/** The texts of references in the other project, if the user who moves the issue may see their targets; others stay unchanged. */
async function renaming(ctx: Context, { from, to }: Way, references: readonly Reference[]) {
  // References with a full path mean the same everywhere.
  const named = references.filter(({ place }) => !place?.includes('/'))
  const names = new Map<string, string>()
  for (const kind of itemKinds.value) {
    const ofKind = named.filter(reference => reference.kind === kind.noun)
    const there = kind.within === 'group' ? to.namespace_full_path : to.full_path
    const found = await kind.named(
      ctx,
      ofKind.map(reference => ({ path: itemPlaceOf(kind, reference, from) as string, iid: Number(reference.name) })),
    )
    for (const { path, iid } of found) {
      const { short, full } = referencesOf(kind.sigil, iid, path, null)
      names.set(`${path.toLowerCase()}${short}`, path === there ? short : full)
    }
  }
  return (reference: Reference): string | undefined => {
    const kind = kindOf(reference)
    if (!kind || reference.place?.includes('/')) return undefined
    return names.get(`${itemPlaceOf(kind, reference, from)}${kind.sigil}${reference.name}`)
  }
}
