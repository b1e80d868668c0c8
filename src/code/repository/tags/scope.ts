import type { Repository } from '../../../platform/git/index.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { inRepository, inRepositoryPage } from '../scope.ts'
import { peelTag, type TagRow } from './queries.ts'

interface Above {
  readonly project: ProjectWithRole
  readonly repository: Repository | undefined
}

async function load({ project, repository }: Above, { tag_name }: { tag_name: string }) {
  const found = repository && (await peelTag(repository, tag_name))
  if (!repository || !found) throw notFound('Tag')
  const tag: TagRow = { ...found, project, repository }
  return { tag, repository }
}

const path = { tag_name: text('URL-encoded name of a tag') }

/** `:tag_name` is resolved to a tag of the repository, or 404. */
export const inTag = within(inRepository, { name: 'inTag', path, load })

/** Like `inTag`, below the page of the project. */
export const inTagPage = within(inRepositoryPage, { name: 'inTagPage', path, load })
