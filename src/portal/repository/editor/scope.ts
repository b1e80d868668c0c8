/** Scopes of the pages that change files: `/-/edit/feature/x/src/main.ts` names a branch and a path, both with slashes. */
import { pushing } from '../../../code/protected_branches/collaboration.ts'
import { textOfFile } from '../../../code/repository/files/edited_text.ts'
import { inRepositoryPage } from '../../../code/repository/scope.ts'
import {
  entryAt,
  isValidShortName,
  type ObjectId,
  pathParts,
  type Repository,
  readBlob,
  readRefs,
  TooLarge,
} from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound, unprocessable } from '../../../platform/kernel/errors.ts'
import { beginningsOf } from '../addresses.ts'

/** A branch and a path in it, as an address names them. */
export interface BranchPath {
  readonly branch: string
  /** Undefined for the first branch of an empty repository. */
  readonly tip: ObjectId | undefined
  /** Without slashes around; empty for the root. */
  readonly path: string
}

/** Splits `feature/x/src` where the name of a branch ends: the longest beginning that is one. `HEAD` is the default branch. */
async function splitBranch(repository: Repository, defaultBranch: string, named: string): Promise<BranchPath | undefined> {
  const beginnings = beginningsOf(named).map(({ ref, path }) => ({ branch: ref === 'HEAD' ? defaultBranch : ref, path }))
  const valid = beginnings.map(({ branch }) => branch).filter(isValidShortName)
  const tips = new Map(
    (
      await readRefs(
        repository,
        valid.map(branch => `refs/heads/${branch}`),
      )
    ).map((tip, index) => [valid[index], tip]),
  )
  const found = beginnings.findLast(({ branch }) => tips.get(branch) !== undefined)
  return found && { ...found, tip: tips.get(found.branch) }
}

/** `*revision_path` becomes a branch and a path in it, whether there is something or not; 404 for what is no branch, such as a tag. */
export const inBranchPath = pushing(
  within(inRepositoryPage, {
    name: 'inBranchPath',
    path: { revision_path: text('A branch, and a path after it', { maxLength: 8192 }) },
    async load({ repository, project }, { revision_path }) {
      const { default_branch } = project
      // The first commit of a repository makes its first branch.
      if (!repository || default_branch === null) {
        if (!isValidShortName(revision_path)) throw notFound('Branch')
        return { repository, target: { branch: revision_path, tip: undefined, path: '' } satisfies BranchPath as BranchPath }
      }
      const target = await splitBranch(repository, default_branch, revision_path)
      if (!target || (target.path !== '' && !pathParts(target.path))) throw notFound('Branch')
      return { repository, target }
    },
  }),
)

/** A file of a branch. */
export interface FileOfBranch {
  readonly repository: Repository
  readonly tip: ObjectId
  readonly blobId: ObjectId
}

/** `*revision_path` becomes a file of a branch, or 404. */
export const inBranchFile = within(inBranchPath, {
  name: 'inBranchFile',
  path: {},
  async load({ repository, target: { tip, path } }) {
    const entry = repository && tip !== undefined && path !== '' ? await entryAt(repository, tip, path) : undefined
    if (!repository || tip === undefined || entry?.type !== 'blob') throw notFound('File')
    return { file: { repository, tip, blobId: entry.id } satisfies FileOfBranch as FileOfBranch }
  },
})

/** Bytes of a file that is edited. */
const MOST_EDITED = 2 * 1024 * 1024

/** `*revision_path` becomes a text file of a branch; 404 where there is none, 422 for what is no text or too large. */
export const inBranchText = within(inBranchFile, {
  name: 'inBranchText',
  path: {},
  load: async ({ file }) => ({ text: await editedText(file) }),
})

/** The text of a file that is edited. @throws Refusal 422 for what is no text, or too large */
export async function editedText({ repository, blobId }: FileOfBranch, limit = MOST_EDITED) {
  const bytes = await readBlob(repository, blobId, limit).catch(error => {
    if (error instanceof TooLarge) throw unprocessable('The file is too large to be edited here. It can be replaced.')
    throw error
  })
  const shown = textOfFile(bytes)
  if (shown === undefined) throw unprocessable('The file is not a text in UTF-8. It can be replaced.')
  return { bytes, shown }
}
