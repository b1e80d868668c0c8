import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taskCounts, taskStatus } from './task_lists.ts'

const counted = async (...lines: string[]) => {
  const { count, completed } = await taskCounts(lines.join('\n'))
  return [completed, count]
}

test('the items of task lists are counted, whatever the bullet', async () => {
  assert.deepEqual(await counted('- [ ] one', '* [x] two', '+ [X] three', '1. [ ] four', '2) [x] five'), [3, 5])
  assert.deepEqual(await counted('- [ ] outer', '  - [x] inner', '    - [ ] innermost'), [1, 3])
  assert.deepEqual(await counted('> - [x] quoted'), [1, 1])
  assert.deepEqual(await counted('- one', '', '    - [x] nested behind a blank line'), [1, 1])
})

test('text that only resembles a task is not counted', async () => {
  assert.deepEqual(
    await counted('[ ] no bullet', '-[ ] no space', '- [y] other letter', '- [ ]', '- [x](link)', 'text - [ ] inside'),
    [0, 0],
  )
})

test('code and comments contain no tasks', async () => {
  assert.deepEqual(await counted('```', '- [ ] fenced', '```', '- [x] real'), [1, 1])
  assert.deepEqual(await counted('~~~~ text', '- [ ] a', '~~~', '- [ ] b', '~~~~', '- [ ] real'), [0, 1])
  assert.deepEqual(await counted('Text', '', '    - [ ] indented', '', '- [x] real'), [1, 1])
  assert.deepEqual(await counted('<!--', '- [ ] hidden', '-->', '- [ ] real'), [0, 1])
  assert.deepEqual(await counted('```', '- [ ] the fence never ends'), [0, 0])
})

test('a text of a megabyte is counted in linear time', async () => {
  assert.deepEqual(await taskCounts('- '.repeat(500_000)), { count: 0, completed: 0 })
  assert.deepEqual(await taskCounts(`${'>'.repeat(1_000_000)} [ ] x`), { count: 1, completed: 0 })
})

test('an empty text has no tasks, and the status is a sentence', async () => {
  assert.equal(taskStatus(await taskCounts(null)), '0 of 0 tasks completed')
  assert.equal(taskStatus({ count: 1, completed: 1 }), '1 of 1 task completed')
})
