/** Bodies that are no parameters, and the smallest files of some kinds. A line for whatever takes a body of its own. */
import { gzipSync } from 'node:zlib'
import { oddZip } from '../../src/ci/artifacts/zip/scene.ts'
import { gemOf, gemYaml } from '../../src/delivery/packages/protocols/rubygems/scene.ts'
import { debOf, tarOf } from '../archives.ts'
import { imageExample, manifestOf } from './images.ts'
import type { Place } from './world.ts'

/** The smallest image there is. */
export const onePixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64').toString('latin1')

/** A multipart body with one file after plain fields; its bytes as one character each. */
export function formWithFile(name: string, filename: string, content: string, fields: object = {}): { type: string; content: string } {
  const before = Object.entries(fields).map(
    ([field, value]) => `--edge\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const head = `content-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: application/octet-stream`
  return { type: 'multipart/form-data; boundary=edge', content: `${before.join('')}--edge\r\n${head}\r\n\r\n${content}\r\n--edge--\r\n` }
}

/** A zip with nothing in it; its bytes as one character each. */
const emptyZip = `PK\x05\x06${'\0'.repeat(18)}`

/** The LFS object whose bytes are `a`. */
export const lfsExample = { oid: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', size: 1 }

/** A body that is no parameters, and the headers that belong to it. */
interface RawBody {
  readonly type: string
  readonly content: string
  /** Parameters that stand in the address. */
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: (where: { readonly place: Place }) => Record<string, string>
}

/** A version of a package as npm publishes it. */
export const npmDocument = (version: string) =>
  JSON.stringify({
    name: '@team/thing',
    'dist-tags': { next: version },
    versions: { [version]: { name: '@team/thing', version } },
    _attachments: { [`thing-${version}.tgz`]: { data: 'YQ==', length: 1 } },
  })

/** A file of a Python package as twine publishes it. */
export const pythonForm = (version: string) => formWithFile('content', `sample-${version}.tar.gz`, 'a', { name: 'sample', version })

/** A chart of Helm as its archive. */
const chart = (version: string) => {
  const yaml = `apiVersion: v2\nname: thing\nversion: ${version}\n`
  return gzipSync(tarOf(['thing/Chart.yaml', Buffer.from(yaml)])).toString('latin1')
}

/** A chart of Helm as it is published. */
export const chartForm = (version: string) => formWithFile('chart', `thing-${version}.tgz`, chart(version))

/** A package of NuGet as it is published. */
export function nugetForm(version: string) {
  const nuspec = `<package><metadata><id>Team.Thing</id><version>${version}</version></metadata></package>`
  return formWithFile('package', 'package.nupkg', oddZip([{ name: 'Team.Thing.nuspec', content: nuspec }]).toString('latin1'))
}

/** A gem as it is published. */
export const gem = (version: string) => ({ type: 'application/octet-stream', content: gemOf(gemYaml(version)).toString('latin1') })

/** A binary package of Debian, its bytes as one character each. */
export const debianPackage = (version: string) =>
  debOf(`Package: thing\nVersion: ${version}\nArchitecture: amd64\nDescription: A thing\n`).toString('latin1')

/** The recipe of Conan that the world has, by the parts of its address. */
export const recipeExample = {
  package_name: 'thing',
  package_version: '1.0.0',
  package_username: 'team',
  package_channel: 'stable',
} as const

/** The file of a recipe or package as Conan sends it, and the names of files that it asks about first. */
const conanFile = { type: 'application/octet-stream', content: 'a' }
const conanSizes = { type: 'application/json', content: '{"conanfile.py":1}' }
const conanAddress = '/packages/conan/v1/conans/:package_name/:package_version/:package_username/:package_channel'
const conanFiles = '/packages/conan/v1/files/:package_name/:package_version/:package_username/:package_channel/:recipe_revision'
const conanRevision =
  '/projects/:id/packages/conan/v2/conans/:package_name/:package_version/:package_username/:package_channel/revisions/:recipe_revision'

/** What Conan sends to the registry of a project, or of the instance. */
const conanBodies = (path: string): Record<string, RawBody> => ({
  [`POST ${path}${conanAddress}/upload_urls`]: conanSizes,
  [`POST ${path}${conanAddress}/packages/:conan_package_reference/upload_urls`]: conanSizes,
  [`PUT ${path}${conanFiles}/export/:file_name`]: conanFile,
  [`PUT ${path}${conanFiles}/package/:conan_package_reference/:package_revision/:file_name`]: conanFile,
})

/** A state as Terraform writes it. */
export const terraformState = (serial: number) => JSON.stringify({ version: 4, serial, lineage: 'one', outputs: {}, resources: [] })

/** Bodies that are no parameters. */
export const bodies: Readonly<Record<string, RawBody>> = {
  'PATCH /jobs/:id/trace': {
    type: 'text/plain',
    content: 'Hello',
    headers: ({ place }) => ({ 'content-range': '0-4', 'job-token': place.things.job_token as string }),
  },
  'POST /jobs/:id/artifacts': {
    ...formWithFile('file', 'artifacts.zip', emptyZip),
    headers: ({ place }) => ({ 'job-token': place.things.job_token as string }),
  },
  // A flush packet: nothing is wanted, nothing is pushed.
  'POST /:repository_path/git-upload-pack': { type: 'application/x-git-upload-pack-request', content: '0000' },
  'POST /:repository_path/git-receive-pack': { type: 'application/x-git-receive-pack-request', content: '0000' },
  'PUT /:repository_path/gitlab-lfs/objects/:oid/:size': { type: 'application/octet-stream', content: 'a' },
  'POST /:image_name/blobs/uploads': { type: 'application/octet-stream', content: '' },
  'PATCH /:image_name/blobs/uploads/:upload_id': { type: 'application/octet-stream', content: imageExample.pushed },
  'PUT /:image_name/blobs/uploads/:upload_id': {
    type: 'application/octet-stream',
    content: imageExample.pushed,
    query: { digest: `sha256:${lfsExample.oid}` },
  },
  'PUT /:image_name/manifests/:reference': { type: 'application/vnd.oci.image.manifest.v1+json', content: manifestOf('1') },
  'PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name': { type: 'application/octet-stream', content: 'a' },
  'PUT /projects/:id/packages/npm/:package_name': { type: 'application/json', content: npmDocument('2.0.0') },
  'PUT /projects/:id/packages/npm/:package_name/-rev/:revision': { type: 'application/json', content: npmDocument('1.0.0') },
  'PUT /projects/:id/packages/npm/-/package/:package_name/dist-tags/:tag': { type: 'application/json', content: '"1.0.0"' },
  'POST /projects/:id/terraform/state/:name': { type: 'application/json', content: terraformState(9) },
  'PUT /projects/:id/packages/maven/*maven_path': { type: 'application/octet-stream', content: 'a' },
  'POST /projects/:id/packages/pypi': pythonForm('2.0.0'),
  'PUT /projects/:id/packages/debian/:file_name': {
    type: 'application/octet-stream',
    content: debianPackage('2.0.0'),
    query: { distribution: 'sid', component: 'main' },
  },
  'PUT /projects/:id/packages/nuget': nugetForm('2.0.0'),
  ...conanBodies('/projects/:id'),
  ...conanBodies(''),
  [`PUT ${conanRevision}/files/:file_name`]: conanFile,
  [`PUT ${conanRevision}/packages/:conan_package_reference/revisions/:package_revision/files/:file_name`]: conanFile,
  'POST /projects/:id/packages/helm/api/:channel/charts': chartForm('2.0.0'),
  'POST /projects/:id/packages/rubygems/api/v1/gems': gem('2.0.0'),
  'POST /projects/:id/issues/:issue_iid/metric_images': formWithFile('file', 'load.gif', onePixel),
  'POST /-/repositories/:side_path/git-upload-pack': { type: 'application/x-git-upload-pack-request', content: '0000' },
  'POST /-/repositories/:side_path/git-receive-pack': { type: 'application/x-git-receive-pack-request', content: '0000' },
  'POST /projects/:id/wikis/attachments': formWithFile('file', 'notes.txt', 'notes'),
  'POST /groups/:id/wikis/attachments': formWithFile('file', 'notes.txt', 'notes'),
  'POST /projects/:id/uploads': formWithFile('file', 'notes.txt', 'notes'),
  'POST /projects/import': formWithFile('file', 'export.tar.gz', 'no archive yet', { path: 'imported' }),
  'POST /groups/import': formWithFile('file', 'export.tar.gz', 'no archive yet', { path: 'imported-group', name: 'Imported' }),
  'POST /import/gitlab_project/new': formWithFile('file', 'export.tar.gz', 'no archive yet', { path: 'imported' }),
  'POST /import/gitlab_group/new': formWithFile('file', 'export.tar.gz', 'no archive yet', { name: 'Imported' }),
  'PUT /user/avatar': formWithFile('avatar', 'dot.gif', onePixel),
}
