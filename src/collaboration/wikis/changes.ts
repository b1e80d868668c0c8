/** What follows a change of a wiki, by a push or by the API: the rows of its pages, and their events. */
import { type SideCommit, type SideRepository, storedSide } from '../../code/side_repositories/side_repository.ts'
import { tipOf } from '../../code/side_repositories/tip.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvents } from '../../platform/events/events.ts'
import { listChangedFiles, type ObjectId, type RefMove, type Repository, readCommit, zeroId } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type PageName, pageNameOf } from './names.ts'
import { pagesAt } from './queries.ts'

/** Whose wiki it is, as the columns of `wiki_pages` say it. */
export type WikiOwner = { readonly project_id: number } | { readonly namespace_id: number }

/** Changed pages of one push that get an event each; of more, the rest have none. */
const MOST = 100

type Action = 'created' | 'updated' | 'deleted'

/** A page that changed; `at` is a commit at which it can be read, `before` its former name. */
interface Change {
  readonly action: Action
  readonly page: PageName
  readonly before?: PageName | undefined
  readonly at: ObjectId
}

/** Records the changes of pages on HEAD's branch. `commit`: that of the API; undefined for a push. */
export async function followWiki(
  ctx: Context,
  side: SideRepository,
  owner: WikiOwner,
  moves: readonly RefMove[],
  commit: SideCommit | undefined,
): Promise<void> {
  const repository = await storedSide(ctx.deps.storages, side)
  const tip = repository && (await tipOf(repository))
  const move = moves.find(moved => moved.ref.startsWith('refs/heads/') && moved.new === tip) ?? moves.find(({ new: id }) => id !== zeroId)
  if (!repository || !move || (await readCommit(repository, move.new)) === undefined) return
  const changes = joined(await changesOf(repository, move), commit).slice(0, MOST)
  if (changes.length === 0) return
  await transact(ctx.deps.database.db, async db => {
    const events = []
    for (const { action, page, before, at } of changes) {
      const wiki_page_id = await pageId(db, ctx.now, owner, page, before)
      events.push({
        kind: `wiki_page.${action}` as const,
        payload: {
          wiki_page_id,
          slug: page.slug,
          title: page.title,
          format: page.format,
          path: page.path,
          at,
          message: commit?.message ?? null,
        },
        actorId: ctx.actor.user?.id,
        ...('project_id' in owner ? { projectId: owner.project_id } : { namespaceId: owner.namespace_id }),
      })
    }
    await recordEvents(db, events)
  })
}

/** The pages that differ between both ends of a move. */
async function changesOf(repository: Repository, { old, new: to }: RefMove): Promise<Change[]> {
  if (old === zeroId) return (await pagesAt(repository, to)).map(page => ({ action: 'created', page, at: to }))
  const files = await listChangedFiles(repository, old, to)
  return files.flatMap(({ file: { old_path, new_path, new_file, deleted_file } }): Change[] => {
    const [before, after] = [new_file ? undefined : pageNameOf(old_path), deleted_file ? undefined : pageNameOf(new_path)]
    if (after) return [{ action: before ? 'updated' : 'created', page: after, before, at: to }]
    return before ? [{ action: 'deleted', page: before, at: old }] : []
  })
}

/** The same, with a page that the commit renames as one change, however much of it stayed the same. */
function joined(changes: Change[], commit: SideCommit | undefined): Change[] {
  const move = commit?.actions.find(({ action }) => action === 'move')
  if (move?.action !== 'move') return changes
  const gone = changes.find(({ action, page }) => action === 'deleted' && page.path === move.previous_path)
  const come = changes.find(({ action, page }) => action === 'created' && page.path === move.file_path)
  return gone && come ? [{ ...come, action: 'updated', before: gone.page }] : changes
}

/** The id of the row of a page, which is made or updated. A page that was renamed keeps its row, unless its new name has one. */
async function pageId(
  db: Db,
  now: Date,
  owner: WikiOwner,
  { slug, title, format }: PageName,
  before: PageName | undefined,
): Promise<number> {
  const given = { slug, title, format, updated_at: now }
  const [column, id] = 'project_id' in owner ? (['project_id', owner.project_id] as const) : (['namespace_id', owner.namespace_id] as const)
  const named = (name: string) =>
    db.selectFrom('wiki_pages').select('id').where(column, '=', id).where('slug', '=', name).executeTakeFirst()
  if (before && before.slug !== slug && !(await named(slug))) {
    const known = await named(before.slug)
    if (known) {
      await db.updateTable('wiki_pages').set(given).where('id', '=', known.id).execute()
      return known.id
    }
  }
  const row = await db
    .insertInto('wiki_pages')
    .values({ ...owner, ...given, created_at: now })
    .onConflict(conflict =>
      conflict.columns([column, 'slug']).where(column, 'is not', null).doUpdateSet({ title, format, updated_at: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
