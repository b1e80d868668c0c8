/** Commits of tests that may be made again. */
import type { Person, SceneProject } from '../../../test/scene.ts'

/** Puts these files on the branch `main`, new ones and others as they are to be from now on. Gives the id of the commit. */
export async function commitFiles(person: Person, project: SceneProject, files: Readonly<Record<string, string>>): Promise<string> {
  const tree = await person.get(`${project.url}/repository/tree`, { ref: 'main', recursive: true, per_page: 100 })
  const paths = tree.status === 200 ? tree.body.map(({ path }: { path: string }) => path) : []
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: paths.includes(file_path) ? 'update' : 'create',
    file_path,
    content,
  }))
  const { status, body } = await person.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Change files',
    actions,
  })
  if (status !== 201) throw new Error(`the commit was refused: ${status} ${JSON.stringify(body)}`)
  return body.id
}
