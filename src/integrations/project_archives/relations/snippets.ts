/** Snippets of a project. Each has a repository, which is a bundle of its own in the archive. */

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { restoreSnippet } from '../../../collaboration/snippets/commands.ts'
import { repositoryOf, type StoredSnippet } from '../../../collaboration/snippets/repository.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { allowedLevelBelow } from '../../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { insertRows } from '../../../platform/db/statements/insert_rows.ts'
import { type Repository, streamBundle } from '../../../platform/git/index.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { relationOf, timesOf } from '../../archives/importing/import.ts'
import { fillFromBundle, refsOfBundle } from '../../archives/importing/repositories.ts'
import type { Row } from '../../archives/reading/row.ts'
import { awardRows, exportedAwards } from '../../archives/relations/items/awards.ts'
import { exportedNotes, importNotes } from '../../archives/relations/items/notes.ts'
import type { ProjectImport } from '../importing/state.ts'

const levels = { private: 0, internal: 10, public: 20 } as const

/** The name of the bundle of a snippet: of what the archive says of it. */
const digestOf = (title: string, description: string | null, created_at: string, updated_at: string): string =>
  createHash('sha256')
    .update(`${title}${description ?? ''}${railsTime(created_at)}${railsTime(updated_at)}`)
    .digest('hex')

/** `2021-06-01 12:00:00 UTC` */
const railsTime = (instant: string): string => `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** A snippet whose repository is to be in the archive, and the name of its bundle. */
export interface BundledSnippet extends StoredSnippet {
  readonly name: string
}

/** `snippets.ndjson`; `bundled` gets the snippets whose bundles `writeSnippets` then writes. */
export async function* exportSnippets(db: Db, projectId: number, bundled: BundledSnippet[]): AsyncGenerator<object> {
  const snippets = await db.selectFrom('snippets').selectAll().where('project_id', '=', projectId).orderBy('id').execute()
  const ids = snippets.map(({ id }) => id)
  const notes = await exportedNotes(db, { project_id: projectId }, 'snippet_id', ids)
  const awards = await exportedAwards(db, 'snippet_id', ids)
  for (const { id, title, description, author_id, visibility, file_paths, created_at, updated_at, repository_storage } of snippets) {
    bundled.push({ id, repository_storage, name: `${digestOf(title, description, created_at, updated_at)}.bundle` })
    yield {
      id,
      title,
      description,
      content: '',
      author_id,
      project_id: projectId,
      file_name: file_paths[0] ?? null,
      visibility_level: levels[visibility as keyof typeof levels],
      created_at,
      updated_at,
      notes: notes.get(id) ?? [],
      award_emoji: awards.get(id) ?? [],
    }
  }
}

/** The bundles of snippets. Of two of one name, which say the same of themselves, the first is taken. */
export async function writeSnippets(deps: Deps, bundled: readonly BundledSnippet[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const written = new Set<string>()
  for (const snippet of bundled) {
    if (written.has(snippet.name)) continue
    written.add(snippet.name)
    const repository = await repositoryOf(deps, snippet)
    const bundle = repository && (await streamBundle(repository))
    if (bundle) await pipeline(Readable.from(bundle), createWriteStream(join(folder, snippet.name)))
  }
}

const bundleOf = async (
  { folder }: ProjectImport,
  row: Row,
  times: { created_at: string; updated_at: string },
): Promise<string | undefined> => {
  const name = digestOf(row.text('title', 255), row.maybeText('description') ?? null, times.created_at, times.updated_at)
  const path = join(folder, 'snippets', `${name}.bundle`)
  return stat(path).then(
    found => (found.isFile() ? path : undefined),
    () => undefined,
  )
}

/** Reads `snippets.ndjson`. Where the transaction is rolled back the repositories have no owner, and are swept. */
export async function importSnippets(state: ProjectImport): Promise<void> {
  const { db, project, people, ctx } = state
  const settings = await applicationSettings(db)
  for await (const row of relationOf(state, 'snippets')) {
    const times = timesOf(state, row)
    const path = await bundleOf(state, row, times)
    const chosen = path === undefined ? undefined : await refsOfBundle(path, 'snippets')
    const columns = {
      author_id: people.idOf(row.maybeId('author_id')),
      title: row.text('title', 255),
      description: row.maybeText('description') ?? null,
      visibility: allowedLevelBelow(ctx.actor, settings, visibilityIn(row)),
      ...times,
    }
    const files =
      path !== undefined && chosen
        ? { head: chosen.head, fill: (made: Repository) => fillFromBundle(made, path, chosen, 'snippets') }
        : { content: row.maybeText('content') ?? '', file_name: row.maybeText('file_name', 255) }
    const id = await restoreSnippet(ctx, project, columns, files)
    await insertRows(db, 'award_emoji', awardRows(state, 'snippet_id', { id, row }))
    await importNotes(state, 'snippet_id', [{ id, row }])
  }
}

const visibilityIn = (row: Row) => {
  const level = row.maybeInteger('visibility_level') ?? 0
  return level === 20 ? ('public' as const) : level === 10 ? ('internal' as const) : ('private' as const)
}
