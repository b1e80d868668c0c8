import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GraphJob, layoutOf, NODE } from './layout.ts'
import { bySteps } from './needs.ts'

const job = (id: number, name: string, stage_position: number, needs: readonly string[] | null = null): GraphJob => ({
  id,
  name,
  stage: `stage ${stage_position}`,
  stage_position,
  needs,
})

test('each stage is a column in its order, and each job has a row of it', () => {
  const { columns, nodes, lines } = layoutOf([job(3, 'deploy', 7), job(1, 'a', 0), job(2, 'b', 0)])

  assert.deepEqual(
    columns.map(({ stage }) => stage),
    ['stage 0', 'stage 7'],
  )
  const [first, second, third] = nodes
  assert.deepEqual([first?.job.id, second?.job.id, third?.job.id], [1, 2, 3])
  assert.equal(first?.x, second?.x)
  assert.ok((second?.y ?? 0) > (first?.y ?? 0) && (third?.x ?? 0) > (first?.x ?? 0))
  assert.equal(first?.y, third?.y)
  assert.deepEqual(lines, [])
})

test('lines lead from each needed job to the one that needs it, also within a stage; a missing job has none', () => {
  const { lines } = layoutOf([job(1, 'a', 0), job(2, 'b', 0, ['a']), job(3, 'c', 2, ['a', 'b', 'optional', 'c'])])

  assert.deepEqual(
    lines.map(({ from, to }) => [from, to]),
    [
      [1, 2],
      [1, 3],
      [2, 3],
    ],
  )
  for (const { path } of lines) assert.match(path, /^M[\d.]+ [\d.]+C[-\d. CH]+$/)
})

test('a line past a column runs between its rows, not behind its jobs', () => {
  const jobs = [job(1, 'a', 0), job(2, 'b', 0), job(3, 'c', 1), job(4, 'd', 1), job(5, 'e', 2, ['a', 'b']), job(6, 'f', 2, ['b'])]

  const { nodes, lines, height } = layoutOf(jobs)

  const passed = nodes.filter(({ job: { stage_position } }) => stage_position === 1)
  assert.equal(lines.length, 3)
  for (const { path } of lines) {
    const lane = Number(/ ([\d.]+)H/.exec(path)?.[1])
    assert.ok(lane > 0 && lane < height, path)
    for (const { y } of passed) assert.ok(lane < y || lane > y + NODE.height, `${path} crosses a job at ${y}`)
  }
})

test('no jobs are an empty drawing', () => {
  const { width, height, nodes } = layoutOf([])

  assert.deepEqual([width > 0, height > 0, nodes], [true, true, []])
})

test('jobs that need others stand after them, whatever their stages; those that wait for stages are left out', () => {
  const jobs = [
    job(1, 'a', 0),
    job(2, 'alone', 0),
    job(3, 'b', 1, ['a']),
    job(4, 'c', 1, ['b', 'gone']),
    job(5, 'd', 2, ['a']),
    job(6, 'e', 2, []),
  ]

  assert.deepEqual(
    bySteps(jobs).map(({ name, stage, stage_position }) => [name, stage, stage_position]),
    [
      ['a', 'Step 1', 1],
      ['b', 'Step 2', 2],
      ['c', 'Step 3', 3],
      ['d', 'Step 2', 2],
    ],
  )
  assert.deepEqual(bySteps([job(1, 'x', 0, ['y']), job(2, 'y', 0, ['x'])]).length, 2, 'a circle has an end')
})
