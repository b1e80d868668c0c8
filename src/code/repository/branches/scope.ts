import { isValidShortName, readCommit, readRefs } from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { inRepository } from '../scope.ts'
import type { BranchRow } from './entity.ts'

/** `:branch` is resolved to a branch of the repository, or 404. */
export const inBranch = within(inRepository, {
  name: 'inBranch',
  path: { branch: text('URL-encoded name of a branch') },
  async load({ project, repository }, { branch: name }) {
    const [commit] = repository && isValidShortName(name) ? await readRefs(repository, [`refs/heads/${name}`]) : []
    const tip = repository && commit && (await readCommit(repository, commit))
    if (!repository || !tip) throw notFound('Branch')
    const branch: BranchRow = { name, commit: tip.id, project, repository }
    return { branch, repository, tip }
  },
  // The modification time of a branch is that of its last commit.
  modifiedAt: ({ tip }) => tip.committer.date,
})
