/** What is reviewed in the furnished world: a merge request with pipelines, reports and threads, and one that conflicts. */
import { gzipSync } from 'node:zlib'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { zipOf } from '../../src/ci/artifacts/zip/scene.ts'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { parseLineReport } from '../../src/ci/reports/lines/parse.ts'
import { checkMergeability } from '../../src/review/merge_requests/merging/mergeability/check.ts'
import { make } from '../derived/making.ts'
import type { World } from '../derived/world.ts'
import type { Person, Scene, SceneProject } from '../scene.ts'
import type { Shown } from './gallery.ts'

/** A merge request to furnish. */
interface Proposed {
  readonly project: SceneProject
  readonly owner: Person
  readonly iid: number
}

const junit = (...cases: readonly (readonly [name: string, failure?: string])[]) =>
  gzipSync(
    `<testsuite>${cases.map(([name, failure]) => `<testcase classname="Lamp" name="${name}" file="test/lamp_test.ts" time="0.2">${failure === undefined ? '' : `<failure>${failure}</failure>`}</testcase>`).join('')}</testsuite>`,
  )

const finding = (fingerprint: string, line: number, severity: string, description: string) => ({
  fingerprint,
  description,
  severity,
  check_name: 'complexity',
  location: { path: 'src/lamp.ts', lines: { begin: line } },
})

/** Lines of `src/lamp.ts` with how often they ran. */
const coverage = gzipSync(
  `<coverage><packages><package><classes><class filename="src/lamp.ts"><lines>${[
    [4, 3],
    [8, 3],
    [11, 2],
    [12, 0],
    [13, 0],
  ]
    .map(([number, hits]) => `<line number="${number}" hits="${hits}"/>`)
    .join('')}</lines></class></classes></package></packages></coverage>`,
)

/** Furnishes a merge request of a project; its pages. */
export async function furnishReview({ scene }: World, { project, owner, iid }: Proposed): Promise<Shown[]> {
  const url = `${project.url}/merge_requests/${iid}`
  const { body: proposed } = await owner.get(url)
  const { base_sha, start_sha, head_sha } = proposed.diff_refs
  const upload = (job: Awaited<ReturnType<typeof runningJob>>, artifact_type: string, artifact_format: string, bytes: Buffer) =>
    uploadTo(scene, job, bytes, { artifact_type, artifact_format, filename: 'report' })
  const before = await runningJob(scene, project, owner, { sha: base_sha, name: 'rspec' })
  await upload(before, 'junit', 'gzip', junit(['is lit', 'no bulb'], ['is dark', 'expected 0'], ['has a name']))
  await upload(before, 'codequality', 'raw', Buffer.from(JSON.stringify([finding('old', 2, 'minor', 'A name of one word')])))
  const options = { script: ['rspec'], artifacts: { expose_as: 'The built pages', paths: ['public/index.html'] } }
  const after = await runningJob(scene, project, owner, { sha: head_sha, ref: proposed.source_branch, name: 'rspec', options })
  await upload(
    after,
    'junit',
    'gzip',
    junit(['is lit'], ['is dark', 'expected 0'], ['has a name', 'expected "hall"\n     got: nil\n\n./test/lamp_test.ts:12']),
  )
  await upload(
    after,
    'codequality',
    'raw',
    Buffer.from(JSON.stringify([finding('new', 12, 'major', 'The function `visible` compares with a number that is computed each time')])),
  )
  await upload(after, 'cobertura', 'gzip', coverage)
  await upload(after, 'archive', 'zip', await zipOf({ 'public/index.html': '<h1>Lamps</h1>' }))
  const rows = await scene.deps.database.db
    .selectFrom('job_artifacts')
    .select('id')
    .where('file_type', 'in', ['cobertura', 'codequality'])
    .execute()
  for (const { id } of rows) await parseLineReport(scene.deps, { artifact_id: id })
  const at = { base_sha, start_sha, head_sha }
  const onLine = { ...at, position_type: 'text', new_path: 'src/lamp.ts', old_path: 'src/lamp.ts', new_line: 12 }
  const thread = await make(owner, `${url}/discussions`, {
    body: 'Why is this computed **each time**?\n\n```suggestion:-0+0\n  return lamps.filter(({ brightness }) => brightness > DARK)\n```',
    position: onLine,
  })
  await make(owner, `${url}/discussions/${thread.id}/notes`, { body: 'Good point: a constant would do.' })
  const onPicture = {
    ...at,
    position_type: 'image',
    new_path: 'docs/picture.svg',
    old_path: 'docs/picture.svg',
    width: 64,
    height: 64,
    x: 40,
    y: 24,
  }
  await owner.post(`${url}/discussions`, { body: 'This edge looks blurred', position: onPicture })
  await make(owner, `${url}/draft_notes`, { note: 'Is `percent` the word that people use?', position: { ...onLine, new_line: 4 } })
  await make(owner, `${url}/discussions`, { body: 'Is there a page that says so?' })
  const conflict = await conflicting(scene, owner, project)
  await checkMergeability(scene.deps, { merge_request_id: proposed.id })
  const inProject = (rest: string): Shown => ({ title: `lantern${rest}`, address: `/${project.full_path}${rest}`, viewer: 'owner' })
  const page = `/-/merge_requests/${iid}`
  const onDrawing = new URLSearchParams({ path: 'docs/picture.svg', ...at }).toString()
  return [
    ...['', '/diffs?view=inline', '/diffs?view=parallel', '/diffs/review', '/pipelines', '/commits', '/suggestions', '/edit'].map(
      of => page + of,
    ),
    `${page}/diffs/comments/place?${onDrawing}`,
    `${page}/diffs/comments/place?${onDrawing}&x=90&y=`,
    `${page}/diffs/comments/new?${onDrawing}&point=new+40+24+64+64`,
    conflict,
    `${conflict}/conflicts`,
    '/-/merge_requests',
    '/-/merge_requests/new?merge_request%5Bsource_branch%5D=feature%2Fa-branch-with-quite-a-long-name',
    '/-/value_stream_analytics',
    '/-/analytics/merge_request_analytics',
    '/-/analytics/issues_analytics',
  ].map(inProject)
}

/** A merge request whose branches conflict; the path of its page. */
async function conflicting(scene: Scene, owner: Person, project: SceneProject): Promise<string> {
  const change = (branch: string, text: string, more: object = {}) => {
    const content = `# Changes\n\n## 1.2\n\n- ${text}.\n\n## 1.1\n\n- The cellar has a lamp.\n`
    const actions = [{ action: 'update', file_path: 'CHANGELOG.md', content }]
    return make(owner, `${project.url}/repository/commits`, { branch, commit_message: text, actions, ...more })
  }
  await change('attic', 'The attic has a lamp', { start_branch: 'main' })
  await change('main', 'The stairs have a lamp')
  const proposed = { source_branch: 'attic', target_branch: 'main', title: 'Draft: Light the attic' }
  const { id, iid } = await make(owner, `${project.url}/merge_requests`, proposed)
  await checkMergeability(scene.deps, { merge_request_id: id })
  return `/-/merge_requests/${iid}`
}
