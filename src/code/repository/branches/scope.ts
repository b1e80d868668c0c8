import { isValidShortName, type Repository, readCommit, readRefs } from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { inRepository, inRepositoryPage } from '../scope.ts'
import type { BranchRow } from './entity.ts'

interface Above {
  readonly project: ProjectWithRole
  readonly repository: Repository | undefined
}

async function load({ project, repository }: Above, { branch: name }: { branch: string }) {
  const [commit] = repository && isValidShortName(name) ? await readRefs(repository, [`refs/heads/${name}`]) : []
  const tip = repository && commit && (await readCommit(repository, commit))
  if (!repository || !tip) throw notFound('Branch')
  const branch: BranchRow = { name, commit: tip.id, project, repository }
  return { branch, repository, tip }
}

const path = { branch: text('URL-encoded name of a branch') }

/** `:branch` is resolved to a branch of the repository, or 404. */
export const inBranch = within(inRepository, {
  name: 'inBranch',
  path,
  load,
  // The modification time of a branch is that of its last commit.
  modifiedAt: ({ tip }) => tip.committer.date,
})

/** Like `inBranch`, below the page of the project. */
export const inBranchPage = within(inRepositoryPage, { name: 'inBranchPage', path, load })
