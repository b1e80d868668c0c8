/** Large files: no step of their reading grows with the number of jobs, so that other requests are served in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkConfig, type Sources, yamlOf } from '../index.ts'
import { readFile } from '../keys/file.ts'
import { Problems } from '../keys/place.ts'
import { limits } from '../limits.ts'
import { extended } from '../reading/extends.ts'
import { writtenSize } from '../reading/merged.ts'
import { dereferenced } from '../reading/references.ts'
import { Budget, sizeOfFile } from '../reading/values.ts'
import { parseYaml } from '../reading/yaml.ts'
import { errorsBetween } from './checks.ts'
import { spread } from './spread.ts'

const nothing = async () => undefined
const none: Sources = { local: nothing, files: async () => [], project: nothing, remote: nothing, template: nothing }

/** Runs work to its end; its result, and in how many steps it was done. */
function stepsOf<T>(work: Generator<unknown, T, void>): { readonly made: T; readonly steps: number } {
  for (let steps = 0; ; steps++) {
    const { done, value } = work.next()
    if (done) return { made: value, steps }
  }
}

test('each stage of the reading has a step for each job', () => {
  const JOBS = 500
  const text = Array.from({ length: JOBS }, (_, n) => `job-${n}:\n  extends: .base\n  script: !reference [.base, script]\n`).join('')
  const parsed = parseYaml(`.base:\n  script: [make]\n${text}`, 'large.yml')

  const whole = stepsOf(extended(parsed, new Budget()))
  const merged = stepsOf(dereferenced(whole.made))
  const size = stepsOf(sizeOfFile(merged.made))
  const characters = stepsOf(writtenSize(merged.made))
  const file = stepsOf(readFile(merged.made, new Problems()))
  const jobs = stepsOf(spread(file.made.jobs.map(job => ({ ...job, parallel: 2 }))))
  const errors = stepsOf(errorsBetween(file.made, jobs.made))

  assert.deepEqual(
    [whole, merged, size, characters, file, jobs, errors].map(({ steps }) => steps),
    [JOBS + 1, JOBS + 1, JOBS + 1, JOBS + 1, JOBS, JOBS, 2 * JOBS],
  )
  assert.deepEqual([jobs.made.length, errors.made], [2 * JOBS, []])
})

test('copies of jobs are counted before they are made', async () => {
  const text = `.many:\n  parallel:\n    matrix:\n      - {A: [1, 2, 3, 4, 5, 6, 7], B: [1, 2, 3, 4, 5, 6, 7]}\n${Array.from({ length: 103 }, (_, n) => `job-${n}: {extends: .many, script: make}\n`).join('')}`

  const checked = await checkConfig(text, none)

  assert.deepEqual(checked.errors, [`The number of jobs has exceeded the limit of ${limits.jobs}`])
  assert.equal((await checkConfig(text.replace('job-102: {extends: .many, ', 'job-102: {'), none)).config?.jobs.length, 102 * 49 + 1)
})

test('a message does not repeat thousands of stages for each job', async () => {
  const stages = Array.from({ length: 2_000 }, (_, n) => `stage-${n}`)
  const jobs = Array.from({ length: 100 }, (_, n) => `job-${n}: {stage: other, script: make}\n`).join('')

  const { errors } = await checkConfig(`stages: [${stages.join(', ')}]\n${jobs}`, none)

  assert.equal(errors.length, 100)
  assert.match(errors[0] ?? '', /^job-0 job: chosen stage does not exist; available stages are \.pre, stage-0, .*, stage-48 and 1952 more$/)
})

test('a merged file that is written key by key is the file as a whole', async () => {
  const text =
    'stages: [a]\nvariables: {A: "1"}\n.hidden: {}\njob:\n  script:\n    - |\n      many\n      lines\n  tags: []\n"odd: key": null\n'
  const config = parseYaml(text, 'file.yml')

  assert.deepEqual(parseYaml(await yamlOf(config), 'file.yml'), config)
  assert.equal(await yamlOf(new Map()), '---\n{}\n')
})

test('a job that needs more than fifty jobs, with the copies of each, is refused before the copies are made', async () => {
  const needing = (copies: number) =>
    `a: {script: make, parallel: ${copies}}\nb: {script: make, parallel: 3}\nc: {script: make, parallel: 40, needs: [a, b]}\n`

  const [fifty, more] = [await checkConfig(needing(47), none), await checkConfig(needing(48), none)]

  assert.deepEqual(fifty.errors, [])
  assert.equal(fifty.config?.jobs.at(-1)?.needs?.length, 50)
  assert.deepEqual(more.errors, ['c job: one job can only need 50 others, but it needs 51 with their copies'])
})

test('what stands below one key is written in a thread where it is long', async () => {
  const { merged } = await checkConfig(
    `.a: &a [${Array(100).fill('q').join(', ')}]\n.b: [${Array(100).fill('*a').join(', ')}]\nc: {script: x}`,
    none,
  )
  let turns = 0
  const count = () => {
    turns++
    turning = setImmediate(count)
  }
  let turning = setImmediate(count)

  const text = await yamlOf(merged!)

  clearImmediate(turning)
  assert.notEqual(turns, 0)
  const list = `- - q\n${'  - q\n'.repeat(99)}`
  assert.equal(text, `---\n.a:\n${'- q\n'.repeat(100)}.b:\n${list.repeat(100)}c:\n  script: x\n`)
})

test('the size of what is written is about that of the text', async () => {
  for (const text of [
    'a: {script: [x, {b: [c, [d]]}]}',
    'a: {script: "one\\ntwo\\n"}',
    'a: {script: ["\\a\\b", "\\U0001F600"], b: {}, c: []}',
  ]) {
    const config = parseYaml(text, 'small.yml')
    const characters = (await yamlOf(config)).length
    const { made } = stepsOf(writtenSize(config))
    assert.ok(made >= characters && made <= 3 * characters + 40, `${made} for ${characters}`)
  }
})
