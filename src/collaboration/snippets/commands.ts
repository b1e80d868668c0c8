/** Creating, changing and deleting snippets. */

import type { Insertable } from 'kysely'
import type { Visibility } from '../../platform/access/abilities.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { allowedLevel, isLevelRestricted } from '../../platform/application_settings/restricted_levels.ts'
import type { DB } from '../../platform/db/schema.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { type ObjectId, RefConflict, type Repository, updateRefs, zeroId } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, forbidden, invalid } from '../../platform/kernel/errors.ts'
import { initialBranch, type Stored, sharedStorage } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { withRoomForCommit } from '../../spaces/storage_limits/limits.ts'
import { processMentions, readMentions } from '../mentions/process.ts'
import { bytesOf, changedFiles, commitFiles, filesRefused, type GivenChanges, type GivenFiles, newFiles } from './files.ts'
import { snippetTextPlace } from './item_kind/readers.ts'
import type { FileActionParam } from './params.ts'
import { type SnippetRow, snippetById } from './queries.ts'
import { countBytes, factsOf, keyOfSnippet, repositoryOf, scheduleRefresh, scheduleRemoval, tipOf } from './repository.ts'
import { refusalOfFiles } from './side.ts'

/** A new snippet. */
export interface NewSnippet extends GivenFiles {
  readonly title: string
  readonly description?: string | undefined
  readonly visibility: Visibility
}

/** Changes of a snippet. */
export interface SnippetChanges extends GivenChanges {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly visibility?: Visibility | undefined
}

/** The visibility that a form for a new snippet begins with, as far as the caller may give it. */
export async function initialVisibility({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<Visibility> {
  const settings = await applicationSettings(db)
  return allowedLevel(actor, settings, settings.default_snippet_visibility as Visibility)
}

/** 403 for a visibility that only administrators give (snippets API). */
async function assertVisibilityAllowed(ctx: Context, visibility: Visibility): Promise<void> {
  if (isLevelRestricted(ctx.actor, await applicationSettings(ctx.db), visibility))
    throw forbidden(`${visibility} visibility has been restricted by your administrator`)
}

/** 400 for a file that is larger than the instance allows. */
async function assertSizes({ db }: Context, actions: readonly FileActionParam[]): Promise<void> {
  const { snippet_size_limit: limit } = await applicationSettings(db)
  const most = Math.max(0, ...actions.map(({ content }) => Buffer.byteLength(content ?? '')))
  if (most > limit) throw invalid({ content: [`is too long (${most} bytes). The maximum size is ${limit} bytes.`] })
}

/** 400 for a title of spaces. */
function requireTitle(title: string): string {
  if (title.trim() === '') throw invalid({ title: ["can't be blank"] })
  return title
}

/**
 * Creates a snippet of the caller, or of a project, with its repository. Part of the transaction that creates the row: where that is rolled back,
 * the repository has no owner and is swept. Contract: external users create none of their own (snippets API).
 */
export async function createSnippet(ctx: Context, project: ProjectWithRole | undefined, given: NewSnippet): Promise<SnippetRow> {
  const { db, deps, now, actor, request } = ctx
  const { user } = actor
  if (!user || (!project && user.external)) throw forbidden()
  await assertVisibilityAllowed(ctx, given.visibility)
  if (project) await readMentions(given.description)
  const actions = newFiles(given)
  await assertSizes(ctx, actions)
  const storage = project?.repository_storage ?? sharedStorage
  const default_branch = await initialBranch(db)
  const { id } = await db
    .insertInto('snippets')
    .values({
      author_id: user.id,
      project_id: project?.id ?? null,
      title: requireTitle(given.title),
      description: given.description ?? null,
      visibility: given.visibility,
      repository_storage: storage,
      default_branch,
      user_agent: request.userAgent,
      ip_address: request.ip || null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  let paths: string[] = []
  const repository = await withRoomForCommit(deps, project, bytesOf(actions), () =>
    deps.storages.get(storage).create(keyOfSnippet(id), {
      defaultBranch: default_branch,
      async fill(made) {
        const { commit, file_paths } = await commitFiles(ctx, made, undefined, actions, [])
        await updateRefs(made, [{ ref: `refs/heads/${default_branch}`, old: zeroId, new: commit }])
        paths = file_paths
      },
    }),
  )
  const { repository_size } = await factsOf(repository, undefined)
  await db.updateTable('snippets').set({ file_paths: paths, repository_size }).where('id', '=', id).execute()
  const row = (await snippetById(db, id)) as SnippetRow
  await countBytes(db, row, repository_size)
  await recordEvent(db, { kind: 'snippet.created', payload: { snippet_id: id, title: row.title }, actorId: user.id, ...placeOf(row) })
  if (project) await processMentions(ctx, snippetTextPlace(project, row), row.description)
  return row
}

/** The files of a snippet that is brought from elsewhere: its whole repository, or one text. */
export type RestoredFiles = GivenFiles | { readonly head: string | undefined; readonly fill: (made: Repository) => Promise<void> }

/** What is known of a snippet that is brought from elsewhere. */
export type RestoredSnippet = Pick<
  Insertable<DB['snippets']>,
  'author_id' | 'title' | 'description' | 'visibility' | 'created_at' | 'updated_at'
>

/**
 * Makes a snippet of a project as it was elsewhere: with its author and times, and without an event. Returns its id.
 * @throws Refusal 400 for files that are too large or too many
 */
export async function restoreSnippet(ctx: Context, project: Stored, snippet: RestoredSnippet, files: RestoredFiles): Promise<number> {
  const { db, deps } = ctx
  const { repository_storage } = project
  const default_branch = ('fill' in files ? files.head : undefined) ?? (await initialBranch(db))
  const { id } = await db
    .insertInto('snippets')
    .values({ ...snippet, project_id: project.id, repository_storage, default_branch })
    .returning('id')
    .executeTakeFirstOrThrow()
  const repository = await deps.storages.get(repository_storage).create(keyOfSnippet(id), {
    defaultBranch: default_branch,
    async fill(made) {
      if ('fill' in files) {
        await files.fill(made)
        const tip = await tipOf(made, { default_branch })
        const refusal = tip && (await refusalOfFiles(ctx, made, tip))
        if (refusal !== undefined) throw invalid({ content: [refusal] })
        return
      }
      const actions = newFiles(files)
      await assertSizes(ctx, actions)
      const { commit } = await commitFiles(ctx, made, undefined, actions, [])
      await updateRefs(made, [{ ref: `refs/heads/${default_branch}`, old: zeroId, new: commit }])
    },
  })
  const facts = await factsOf(repository, await tipOf(repository, { default_branch }))
  await db.updateTable('snippets').set(facts).where('id', '=', id).execute()
  await countBytes(db, { project_id: project.id }, facts.repository_size)
  return id
}

const placeOf = ({ project_id }: Pick<SnippetRow, 'project_id'>) => (project_id === null ? {} : { projectId: project_id })

/** Changes a snippet and its files; of two concurrent changes the later one sees the files of the earlier. */
export async function updateSnippet(
  ctx: Context,
  project: ProjectWithRole | undefined,
  { id }: SnippetRow,
  given: SnippetChanges,
): Promise<SnippetRow> {
  const { db, now, actor } = ctx
  const { title, description, visibility } = given
  if (project) await readMentions(description)
  await db.selectFrom('snippets').select('id').where('id', '=', id).forUpdate().execute()
  const before = (await snippetById(db, id)) as SnippetRow
  if (visibility !== undefined && visibility !== before.visibility) await assertVisibilityAllowed(ctx, visibility)
  const actions = changedFiles(given, before.file_paths)
  await assertSizes(ctx, actions)
  const facts = actions.length > 0 ? await writeFiles(ctx, project, before, actions) : {}
  await db
    .updateTable('snippets')
    .set({
      ...(title !== undefined && { title: requireTitle(title) }),
      ...(description !== undefined && { description }),
      ...(visibility !== undefined && { visibility }),
      ...facts,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  const row = (await snippetById(db, id)) as SnippetRow
  await countBytes(db, row, row.repository_size - before.repository_size)
  await recordEvent(ctx, {
    kind: 'snippet.updated',
    payload: {
      snippet_id: id,
      title: row.title,
      author_id: row.author_id,
      changes: row.visibility === before.visibility ? {} : { visibility: { from: before.visibility, to: row.visibility } },
    },
    actorId: actor.user?.id,
    ...placeOf(row),
  })
  if (project && description !== undefined) await processMentions(ctx, snippetTextPlace(project, row), row.description, { isEdit: true })
  return row
}

/** Commits changes of files and moves the branch; returns what the row says of them. */
async function writeFiles(
  ctx: Context,
  project: ProjectWithRole | undefined,
  row: SnippetRow,
  actions: readonly FileActionParam[],
): Promise<{ file_paths: string[]; repository_size: number }> {
  const repository = await repositoryOf(ctx.deps, row)
  if (!repository) throw filesRefused('The repository of the snippet does not exist')
  const tip = await tipOf(repository, row)
  return withRoomForCommit(ctx.deps, project, bytesOf(actions), async () => {
    const { commit, file_paths } = await commitFiles(ctx, repository, tip, actions, row.file_paths)
    // On a connection of its own: it stays where this transaction does not.
    await scheduleRefresh(ctx.deps.database.db, row.id, new Date(ctx.now.getTime() + REFRESH))
    await moveBranch(repository, row.default_branch, tip, commit)
    return { file_paths, repository_size: (await factsOf(repository, undefined)).repository_size }
  })
}

/** Milliseconds until the row is compared with the repository again. */
const REFRESH = 60_000

async function moveBranch(repository: Repository, branch: string, tip: ObjectId | undefined, commit: ObjectId): Promise<void> {
  try {
    await updateRefs(repository, [{ ref: `refs/heads/${branch}`, old: tip ?? zeroId, new: commit }])
  } catch (error) {
    // Pushed to meanwhile.
    if (error instanceof RefConflict) throw conflict('The files of the snippet have changed meanwhile')
    throw error
  }
}

/** Deletes a snippet; its repository is removed in the background. */
export async function removeSnippet(ctx: Context, { id }: Pick<SnippetRow, 'id'>): Promise<void> {
  const { db, actor } = ctx
  const gone = await db.deleteFrom('snippets').where('id', '=', id).returningAll().executeTakeFirst()
  // A concurrent request deleted it first.
  if (!gone) return
  await countBytes(db, gone, -gone.repository_size)
  await recordEvent(ctx, {
    kind: 'snippet.deleted',
    payload: { snippet_id: id, title: gone.title, author_id: gone.author_id },
    actorId: actor.user?.id,
    ...placeOf(gone),
  })
  await scheduleRemoval(ctx)
}

/** Deletes all snippets of a user who is deleted. Contract: also where their other work goes to the ghost user (users API). */
export async function removeSnippetsOf(ctx: Context, userId: number): Promise<void> {
  const written = await ctx.db.selectFrom('snippets').select('id').where('author_id', '=', userId).execute()
  for (const snippet of written) await removeSnippet(ctx, snippet)
}
