/** The git repositories of snippets: `snippets/7`, and `group/project/snippets/7` for one of a project. */
import type { SideRepository, SideRepositoryKind } from '../../code/side_repositories/side_repository.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import {
  filesOfCommit,
  GitError,
  type Held,
  type ObjectId,
  type RefMove,
  type Repository,
  sizesOf,
  zeroId,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { fileCountRefusal } from './files.ts'
import { MOST_FILES } from './params.ts'
import { type SnippetRow, visibleSnippet } from './queries.ts'
import { keyOfSnippet, refreshSnippet } from './repository.ts'
import { isOwnSnippet } from './scope.ts'

const form = /^(?:(.+)\/)?snippets\/(\d{1,15})$/

/** Why a push may not move this reference: a snippet has one branch. */
const moveRefusal =
  ({ default_branch }: SnippetRow) =>
  ({ ref }: RefMove): string | undefined =>
    ref === `refs/heads/${default_branch}` ? undefined : `You can only push to the branch '${default_branch}' of a snippet.`

/** Why what was pushed cannot be the files of a snippet. */
const contentRefusal = async (ctx: Context, repository: Repository, { new: tip }: RefMove, held: Held): Promise<string | undefined> =>
  tip === zeroId ? undefined : refusalOfFiles(ctx, repository, tip, held)

/** Why a commit cannot have the files of a snippet: how many there are, and how large. */
export async function refusalOfFiles(
  { db }: Pick<Context, 'db'>,
  repository: Repository,
  tip: ObjectId,
  held: Held = {},
): Promise<string | undefined> {
  const paths = new Map<ObjectId, string>()
  let count = 0
  try {
    for await (const { path, blob } of filesOfCommit(repository, tip, held)) {
      paths.set(blob, path)
      if (++count > MOST_FILES) break
    }
  } catch (error) {
    // What was pushed is on disk and whole.
    if (error instanceof GitError && error.kind === 'corrupt') return 'The branch of a snippet must name a commit.'
    throw error
  }
  const refusal = fileCountRefusal(count)
  if (refusal !== undefined) return refusal
  const { snippet_size_limit: limit } = await applicationSettings(db)
  const large = [...(await sizesOf(repository, [...paths.keys()], held))].find(([, size]) => size > limit)
  return large && `${paths.get(large[0])} is too long (${large[1]} bytes). The maximum size is ${limit} bytes.`
}

/** The repository of a snippet that the caller may see. */
export const sideOfSnippet = (snippet: SnippetRow, project: ProjectWithRole | undefined, isOwn: boolean): SideRepository => ({
  noun: 'Snippet',
  ...(project
    ? { subject: { ...projectSubject(project), own: isOwn }, fetch: 'read_snippet', push: 'update_snippet' }
    : { subject: { on: 'user', userId: snippet.author_id }, fetch: 'read_user', push: 'update_own' }),
  pushRefusal: project?.archived ? 'The project is archived: nothing can be pushed to its snippets.' : undefined,
  storage: snippet.repository_storage,
  key: keyOfSnippet(snippet.id),
  branch: snippet.default_branch,
  project,
  async asNow({ db, actor }) {
    const now = await visibleSnippet(db, actor, snippet.id)
    if (!now) throw notFound('Snippet')
    const place = now.project_id === null ? undefined : await visibleProject(db, actor, String(now.project_id))
    if (now.project_id !== (place?.id ?? null)) throw notFound('Snippet')
    return sideOfSnippet(now, place, isOwnSnippet(actor, now))
  },
  moveRefusal: moveRefusal(snippet),
  contentRefusal,
  onChanged: ({ deps }) => refreshSnippet(deps, { snippet_id: snippet.id, pushed: true }),
})

/** Snippets by their paths. Visibility is that of the API; a snippet of a project has no address without it, and none in another. */
export const snippetRepositories: SideRepositoryKind = {
  recognizes: path => form.test(path),
  async find({ db, actor }, path) {
    const [, place, id] = form.exec(path) ?? []
    const snippet = await visibleSnippet(db, actor, Number(id))
    if (!snippet) throw notFound('Snippet')
    const project = place === undefined ? undefined : await visibleProject(db, actor, place)
    if (snippet.project_id !== (project?.id ?? null)) throw notFound('Snippet')
    return sideOfSnippet(snippet, project, isOwnSnippet(actor, snippet))
  },
}
