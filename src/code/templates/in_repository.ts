/** A project's own templates of issues, merge requests and mails of its service desk: Markdown files on its default branch. */
import { listTree, readBlob, resolveCommit, type TreeRow } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository, type Stored } from '../../spaces/projects/repository/store.ts'
import type { Catalogue } from './catalogues.ts'

const folders = {
  issues: '.gitlab/issue_templates',
  merge_requests: '.gitlab/merge_request_templates',
  service_desk: '.gitlab/service_desk_templates',
} as const

/** The kinds of own templates. */
export type OwnTemplates = keyof typeof folders

const ENDING = '.md'

/** Maximum size of a template in bytes; a longer one fits no description. */
const MAX_BYTES = 1024 * 1024

/** The project's templates of one kind. */
export function templatesInRepository(
  { deps }: Pick<Context, 'deps'>,
  project: Stored & { readonly default_branch: string | null },
  kind: OwnTemplates,
): Catalogue {
  async function files() {
    const repository = project.default_branch === null ? undefined : await findRepository(deps.storages, project)
    const commit = repository && (await resolveCommit(repository, `refs/heads/${project.default_branch}`))
    const tree = repository && commit ? await listTree(repository, { commit, path: folders[kind] }) : undefined
    return { repository, rows: (tree?.rows ?? []).filter(isTemplate) }
  }
  return {
    list: async () => (await files()).rows.map(nameOf).map(name => ({ key: name, name })),
    async find(key) {
      const { repository, rows } = await files()
      const row = rows.find(found => nameOf(found) === key)
      return repository && row ? { name: key, content: (await readBlob(repository, row.id, MAX_BYTES)).toString('utf8') } : undefined
    },
  }
}

const isTemplate = ({ type, name }: TreeRow): boolean => type === 'blob' && name.endsWith(ENDING) && name !== ENDING
const nameOf = ({ name }: TreeRow): string => name.slice(0, -ENDING.length)
