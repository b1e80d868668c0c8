/** Who owns the files of a merge request, by the CODEOWNERS file of its target branch: beside their names. */
import { ownersOfEach } from '../../../code/code_owners/read.ts'
import type { DiffEntry, ObjectId, Repository } from '../../../platform/git/index.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { DiffExtras } from '../../repository/diffs/file_view.ts'

/** Owners that are named beside a file; of more their number is. */
const NAMED = 4

/** The extras of a diff with the owners of its files. Of a renamed file those of both names count. */
export async function withOwners(
  extras: DiffExtras | undefined,
  repository: Repository,
  file: string | null,
  entries: readonly DiffEntry[],
): Promise<DiffExtras | undefined> {
  if (file === null) return extras
  const owners = await ownersOfEach(
    repository,
    file as ObjectId,
    entries.flatMap(({ old_path, new_path }) => [old_path, new_path]),
  )
  const besideName = ({ old_path, new_path }: DiffEntry): Html | undefined => {
    const names = [...new Set([old_path, new_path].flatMap(path => owners.get(path) ?? []))]
    if (names.length === 0) return undefined
    const rest = names.length - NAMED
    return html`<span class="small muted file-owners" title="Code owners: ${names.join(', ')}">owned by ${names.slice(0, NAMED).join(', ')}${rest > 0 && ` and ${rest} more`}</span>`
  }
  return { ...extras, besideName }
}
