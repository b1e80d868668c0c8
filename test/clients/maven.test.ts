/** The real `mvn` against the registry of a project and of a group: it deploys a release and a snapshot, and reads both. */
import assert from 'node:assert/strict'
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()

/** The plugins of Debian's packages: nothing is read from elsewhere. */
const debian = '/usr/share/maven-repo'
const plugin = `${debian}/org/apache/maven/plugins/maven-deploy-plugin`
const versions = await readdir(plugin).catch(() => [])
const version = versions.find(name => /^\d/.test(name))
const skip = version && (await workbench.has('mvn', ['--version'])) ? false : 'mvn or its deploy plugin is not installed on this machine'

/** Settings that send a header to our repositories, and read plugins from the disk. */
const settingsOf = (header: string, token: string) => `<settings>
  <localRepository>${workbench.directory}/local-${header}</localRepository>
  <servers><server><id>ours</id><configuration><httpHeaders><property><name>${header}</name><value>${token}</value></property></httpHeaders></configuration></server></servers>
  <mirrors><mirror><id>disk</id><mirrorOf>central</mirrorOf><url>file://${debian}</url></mirror></mirrors>
</settings>`

const pomOf = (artifact: string, itsVersion: string, more = '') => `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId><artifactId>${artifact}</artifactId><version>${itsVersion}</version>
  <packaging>pom</packaging>
  ${more}
</project>`

async function mvn(header: string, token: string, ...args: string[]) {
  const settings = join(workbench.directory, `settings-${header}.xml`)
  await writeFile(settings, settingsOf(header, token))
  return workbench.attempt('mvn', ['--batch-mode', '--no-transfer-progress', '--settings', settings, ...args])
}

async function deploy(header: string, token: string, registry: string, itsVersion: string) {
  const folder = join(workbench.directory, `deploy-${header}-${itsVersion}`)
  await mkdir(folder, { recursive: true })
  const [file, pom] = [join(folder, 'notes.txt'), join(folder, 'pom.xml')]
  await writeFile(file, `notes of ${itsVersion}`)
  await writeFile(pom, pomOf('parent', itsVersion, '<properties><says>hello</says></properties>'))
  const values = { url: registry, repositoryId: 'ours', file: pom, pomFile: pom, files: file, types: 'txt', classifiers: 'notes' }
  const given = Object.entries(values).map(([name, value]) => `-D${name}=${value}`)
  return mvn(header, token, `org.apache.maven.plugins:maven-deploy-plugin:${version}:deploy-file`, ...given)
}

/** Reads a project whose parent is in the registry: Maven itself gets the parent, without any plugin. */
async function readParent(header: string, token: string, registry: string, itsVersion: string) {
  const pom = join(workbench.directory, `reader-${header}.xml`)
  const repository = `<repositories><repository><id>ours</id><url>${registry}</url><releases><checksumPolicy>fail</checksumPolicy></releases><snapshots><enabled>true</enabled><checksumPolicy>fail</checksumPolicy></snapshots></repository></repositories>`
  const parent = `<parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>${itsVersion}</version><relativePath/></parent>`
  await writeFile(pom, pomOf('reader', '1', parent + repository))
  return mvn(header, token, '--file', pom, 'validate')
}

test('mvn deploys a release and a snapshot, and reads them with their digests', { skip }, async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const registry = `${scene.url}/api/v4/projects/${project.id}/packages/maven`
  const release = await deploy('Private-Token', owner.token, registry, '1.0')
  assert.equal(release.code, 0, release.stdout)
  const job = await runningJob(scene, project, owner)
  for (const _time of [1, 2]) {
    const snapshot = await deploy('Job-Token', job.token, registry, '1.1-SNAPSHOT')
    assert.equal(snapshot.code, 0, snapshot.stdout)
  }

  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'mvn', scopes: ['read_package_registry'] })).body.token
  const read = await readParent('Deploy-Token', token, registry, '1.0')
  assert.equal(read.code, 0, read.stdout)
  const cached = join(workbench.directory, 'local-Deploy-Token/org/example/parent/1.0/parent-1.0.pom')
  assert.match(await readFile(cached, 'utf8'), /<says>hello</)
  await access(`${cached}.sha1`)
  const ofGroup = `${scene.url}/api/v4/groups/${group.id}/-/packages/maven`
  const newest = await readParent(
    'Deploy-Token',
    (await owner.post(`${group.url}/deploy_tokens`, { name: 'mvn', scopes: ['read_package_registry'] })).body.token,
    ofGroup,
    '1.1-SNAPSHOT',
  )
  assert.equal(newest.code, 0, newest.stdout)

  const outsider = await scene.user()
  const refused = await readParent('Private-Token', outsider.token, registry, '1.0-none')
  assert.notEqual(refused.code, 0)
  const packages = (await owner.get(`${project.url}/packages`, { include_versionless: true, package_type: 'maven' })).body
  assert.deepEqual(
    packages.map((row: { name: string; version: string | null; pipeline?: { id: number } }) => [row.name, row.version, row.pipeline?.id]),
    [
      ['org/example/parent', '1.0', undefined],
      // What is said of all versions was last published by the job.
      ['org/example/parent', null, job.pipelineId],
      ['org/example/parent', '1.1-SNAPSHOT', job.pipelineId],
    ],
  )
})
