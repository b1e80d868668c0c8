/** The first commit of a project created with a README. */

import { toStoredOrigin } from '../../../platform/events/audit/entry.ts'
import { commitActions, isValidShortName, updateRefs, zeroId } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { lockProject } from '../../../spaces/projects/repository/facts.ts'
import { initialBranch } from '../../../spaces/projects/repository/store.ts'
import { recordOutcome } from '../../ref_updates/outcome.ts'
import { filesOfTemplate } from '../../templates/projects.ts'
import { personOf } from '../commits/person.ts'

/** The fields of a new project that its first commit needs. */
export interface NewRepository {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly repository_storage: string
}

/**
 * Creates the repository of a project with one commit that contains README.md and the files of a template, on the branch that is named or the instance's first branch.
 * Part of the transaction that creates the project: the repository is invisible before the commit, and if the transaction is rolled
 * back the repository has no project and is swept.
 */
export async function initializeRepository(ctx: Context, project: NewRepository, named?: string, template?: string): Promise<void> {
  const { db, deps, now } = ctx
  const person = personOf(ctx.actor)
  const branch = named ?? (await initialBranch(db))
  if (!isValidShortName(branch)) throw invalid({ default_branch: ['is not a valid branch name'] })
  const ref = `refs/heads/${branch}`
  const files = [{ path: 'README.md', content: readmeFor(project) }, ...(template === undefined ? [] : await filesOfTemplate(template))]
  let commit = zeroId
  await deps.storages.get(project.repository_storage).create(project.id, {
    defaultBranch: branch,
    async fill(repository) {
      commit = await commitActions(repository, {
        parent: null,
        actions: files.map(({ path, content }) => ({ action: 'create', file_path: path, content: Buffer.from(content) })),
        author: person,
        committer: person,
        message: 'Initial commit',
        now,
      })
      await updateRefs(repository, [{ ref, old: zeroId, new: commit }])
    },
  })
  const place = await lockProject(db, project.id)
  const moves = [{ ref, old: zeroId, new: commit }]
  const origin = toStoredOrigin(ctx)
  if (place) await recordOutcome({ db, storages: deps.storages, now }, place, ctx.actor.user?.id, moves, { origin })
}

const readmeFor = ({ name, description }: NewRepository): string => `# ${name}\n\n${description ? `${description}\n` : ''}`
