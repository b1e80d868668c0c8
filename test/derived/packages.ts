/** Packages and states of Terraform of the projects of the world. */
import { chartForm, debianPackage, gem, npmDocument, nugetForm, pythonForm, terraformState } from './bodies.ts'
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function packages({ scene, places }: World): Promise<void> {
  const { db } = scene.deps.database
  for (const { group, project, things } of Object.values(places)) {
    for (const row of rows) {
      const version = row === 0 ? '1.0.0' : `1.0.${row}`
      await publish(`${project.url}/packages/generic/my-package/${version}/program.tar.gz`)
      // One file of each version, and all of them in the first.
      await publish(`${project.url}/packages/generic/my-package/1.0.0/part-${row}.txt`)
    }
    const { status } = await scene.root.put(`${project.url}/packages/npm/@team%2Fthing`, Buffer.from(npmDocument('1.0.0')))
    if (status !== 200) throw new Error(`the package of npm was refused: ${status}`)
    const { _rev } = (await scene.root.get(`${project.url}/packages/npm/@team%2Fthing`, { write: true })).body
    for (const name of ['org/example/thing', project.full_path])
      await publish(`${project.url}/packages/maven/${name}/1.0.0/thing-1.0.0.jar`, 200)
    await scene.root.post(`${project.url}/terraform/state/production`, Buffer.from(terraformState(1)))
    await publishForm(`${project.url}/packages/pypi`, pythonForm('1.0.0'))
    await publishForm(`${project.url}/packages/helm/api/stable/charts`, chartForm('1.0.0'))
    await publishForm(`${project.url}/packages/nuget`, nugetForm('1.0.0'), 'PUT')
    // In the registry of the instance the user of a recipe is the path of its project.
    for (const user of ['team', project.full_path.replaceAll('/', '+')]) {
      const recipe = `${project.url}/packages/conan/v1/files/thing/1.0.0/${user}/stable/0`
      for (const file of ['conanfile.py', 'conanmanifest.txt']) await publish(`${recipe}/export/${file}`, 200)
      for (const file of ['conaninfo.txt', 'conanmanifest.txt'])
        await publish(`${recipe}/package/da39a3ee5e6b4b0d3255bfef95601890afd80709/0/${file}`, 200)
    }
    await publishForm(`${project.url}/packages/rubygems/api/v1/gems`, gem('1.0.0'))
    for (const path of [`${project.url}/debian_distributions`, `${group.url}/-/debian_distributions`])
      for (const row of rows) await make(scene.root, path, { codename: row === 0 ? 'sid' : `sid-${row}` })
    const deb = Buffer.from(debianPackage('1.0.0'), 'latin1')
    const published = await scene.root.put(`${project.url}/packages/debian/thing_1.0.0_amd64.deb?distribution=sid&component=main`, deb)
    if (published.status !== 201) throw new Error(`the package of Debian was refused: ${published.status}`)
    const commit = await makeModule(project)
    const composer = await scene.root.post(`${project.url}/packages/composer`, { tag: 'v0.9.0' })
    if (composer.status !== 201) throw new Error(`the package of Composer was refused: ${composer.status}`)
    const [first] = (await scene.root.get(`${project.url}/packages`)).body
    const [file] = (await scene.root.get(`${project.url}/packages/${first.id}/package_files`)).body
    const ruled = { minimum_access_level_for_push: 'owner' } as const
    for (const row of rows) {
      const rule = { package_name_pattern: `guarded-${row}`, package_type: 'npm', ...ruled }
      things.package_rule = (await make(scene.root, `${project.url}/packages/protection/rules`, rule)).id
      const tags = { tag_name_pattern: `^guarded-${row}$`, minimum_access_level_for_delete: 'owner', ...ruled }
      things.tag_rule = (await make(scene.root, `${project.url}/registry/protection/tag/rules`, tags)).id
      const images = { repository_path_pattern: `${project.full_path}/guarded-${row}`, ...ruled }
      things.image_rule = (await make(scene.root, `${project.url}/registry/protection/repository/rules`, images)).id
    }
    Object.assign(things, { package: first.id, package_file: file.id, package_commit: commit, npm_revision: _rev })
    // Each pipeline of the project has published it, the last one its file too.
    const builds = await db.selectFrom('pipelines').select('id as pipeline_id').where('project_id', '=', project.id).orderBy('id').execute()
    const made = builds.map(build => ({ package_id: first.id, package_file_id: null, ...build }))
    await db
      .insertInto('package_build_infos')
      .values([...made, { package_id: first.id, package_file_id: file.id, pipeline_id: things.pipeline as number }])
      .execute()
  }
  // The registry of the instance has names of the group or user at the top alone.
  const team = (await scene.root.post('/groups', { name: 'Team', path: 'team', visibility: 'public' })).body
  const thing = (await scene.root.post('/projects', { name: 'thing', namespace_id: team.id, visibility: 'public' })).body
  await scene.root.put(`/projects/${thing.id}/packages/npm/@team%2Fthing`, Buffer.from(npmDocument('1.0.0')))

  /** A tag of which package managers make packages: of Go, and of Composer. */
  async function makeModule({ id: projectId, url }: { id: number; url: string }): Promise<string> {
    const composer = { name: `team/thing-${projectId}` }
    const files = { 'go.mod': 'module example.com/thing\n', 'composer.json': JSON.stringify(composer) }
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }))
    const commit = { branch: 'packages', start_branch: 'main', commit_message: 'Package it [skip ci]', actions }
    const { id } = (await scene.root.post(`${url}/repository/commits`, commit)).body
    const { status } = await scene.root.post(`${url}/repository/tags`, { tag_name: 'v0.9.0', ref: id })
    if (status !== 201) throw new Error(`the tag of a package was refused: ${status}`)
    return id
  }

  async function publishForm(path: string, { type, content }: { type: string; content: string }, method = 'POST'): Promise<void> {
    const { status } = await scene.root.request(method, path, { body: Buffer.from(content, 'latin1'), headers: { 'content-type': type } })
    if (status !== 201) throw new Error(`${method} ${path} was refused: ${status}`)
  }

  async function publish(path: string, expected = 201): Promise<void> {
    const { status } = await scene.root.put(path, Buffer.from(path))
    if (status !== expected) throw new Error(`PUT ${path} was refused: ${status}`)
  }
}
