import type { ObjectId } from '../git/objects/oid.ts'
import type { Repository } from '../git/repository.ts'
import { listTree } from '../git/trees/trees.ts'

/** A file that introduces a repository: `README`, with or without the extension of a text, in any letter case. */
const README = /^readme(?:\.(?:md|mdown|mkdn?|markdown|rst|adoc|asciidoc|ad|org|rdoc|textile|creole|wiki|mediawiki|pod|txt))?$/i

/** The README at the top of a commit; Markdown before other formats, or null. */
export async function readmeOf(repository: Repository, commit: ObjectId): Promise<string | null> {
  const tree = await listTree(repository, { commit })
  const names = (tree?.rows ?? []).flatMap(({ type, name }) => (type === 'blob' && README.test(name) ? [name] : []))
  return names.find(name => /\.(?:md|markdown)$/i.test(name)) ?? names[0] ?? null
}
