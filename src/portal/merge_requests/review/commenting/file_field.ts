/** The field that asks for one of the files that changes are of, where no address has named it. */
import { listChangedFiles, type ObjectId, type Repository } from '../../../../platform/git/index.ts'
import type { FieldSpec } from '../../../../platform/pages/forms/fields.ts'

/** Files that are offered. */
const MOST = 1_000

/** One git process. */
export async function fileField(
  repository: Repository | undefined,
  from: ObjectId | undefined,
  to: ObjectId | undefined,
): Promise<FieldSpec> {
  const changed = repository && from && to ? await listChangedFiles(repository, from, to) : []
  return {
    name: 'path',
    label: 'File',
    control: 'select',
    choices: changed.slice(0, MOST).map(({ file }) => [file.new_path, file.new_path] as const),
    hint: '',
  }
}
