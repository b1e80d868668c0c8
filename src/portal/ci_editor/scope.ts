/** The CI file of a branch, by the address of its editor: `/-/ci/editor?branch_name=main`. */
import { CI_FILE, elsewhereOf, limits } from '../../ci/config/index.ts'
import { pushing } from '../../code/protected_branches/collaboration.ts'
import { inRepositoryPage } from '../../code/repository/scope.ts'
import { entryAt, isValidShortName, pathParts, readRefs } from '../../platform/git/index.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { type BranchPath, editedText, type FileOfBranch } from '../repository/editor/scope.ts'

/** The branch of a repository before its first commit, where the address names none. */
const FIRST_BRANCH = 'main'

/** A CI file as it is on its branch. */
export interface CiFile {
  readonly file: FileOfBranch
  readonly text: { readonly bytes: Buffer; readonly shown: string }
}

/** The query of the address names the branch: what a form sends beside it may name another one, which the change goes to. */
const branchIn = (address: string): string | undefined => new URLSearchParams(address.split('?', 2)[1]).get('branch_name') || undefined

/** A branch and the place of its CI file become its text, if it has one; 404 where there is no such branch. */
export const inCiEditor = pushing(
  within(inRepositoryPage, {
    name: 'inCiEditor',
    path: {},
    async load({ project, repository, request }) {
      const path = project.ci_config_path || CI_FILE
      const branch = branchIn(request.address) ?? project.default_branch ?? FIRST_BRANCH
      if (!isValidShortName(branch)) throw notFound('Branch')
      const [tip] = repository ? await readRefs(repository, [`refs/heads/${branch}`]) : []
      if (tip === undefined && project.default_branch !== null) throw notFound('Branch')
      const target: BranchPath = { branch, tip, path }
      /** Where the project says that its CI file is, if that is no path of its repository. */
      const elsewhere = elsewhereOf(path) !== undefined || !pathParts(path)
      const entry = repository && tip !== undefined && !elsewhere ? await entryAt(repository, tip, path) : undefined
      const file = repository && tip !== undefined && entry?.type === 'blob' ? { repository, tip, blobId: entry.id } : undefined
      const ciFile: CiFile | undefined = file && { file, text: await editedText(file, limits.fileBytes) }
      return { target, elsewhere, ciFile }
    },
  }),
)

/** The address of the editor for a branch. Pure. */
export const editorPath = (project: { readonly full_path: string }, branch?: string, more: Readonly<Record<string, string>> = {}): string =>
  withQuery(projectPath(project, '/-/ci/editor'), branch, more)

/** The address that examines a text in place of the CI file of a branch. Pure. */
export const checkPath = (project: { readonly full_path: string }, branch: string): string =>
  withQuery(projectPath(project, '/-/ci/lint'), branch)

function withQuery(path: string, branch: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...(branch !== undefined && { branch_name: branch }), ...more }).toString()
  return query === '' ? path : `${path}?${query}`
}
