/** What is held in memory of a repository of GitHub has bounds, whatever its server says. */
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import type { Repository } from '../../../platform/git/index.ts'
import { People } from '../../archives/importing/people.ts'
import { Row } from '../../archives/reading/row.ts'
import { writeGithubTree } from './tree.ts'

const MANY = 250_000

async function written(name: string, row: (at: number) => object) {
  const lists = await mkdtemp(join(tmpdir(), 'ingot-lists-'))
  atEnd(() => rm(lists, { recursive: true, force: true }))
  for (let at = 0; at < MANY; at += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, n) => JSON.stringify(row(at + n)))
    await appendFile(join(lists, `${name}.ndjson`), `${lines.join('\n')}\n`)
  }
  const about = Row.of({}, 'repository')
  return writeGithubTree({ lists, folder: join(lists, 'out'), people: new People(1, new Map()), about, repository: {} as Repository })
}

test('comments count with more than their texts', () =>
  assert.rejects(
    written('comments', at => ({ issue_url: `https://example.com/issues/${at}`, body: 'x' })),
    /more comments than are imported/,
  ))

test('reviews without a verdict that is kept are bounded too', () =>
  assert.rejects(
    written('reviews-0', at => ({ number: 1, state: 'DISMISSED_LATER', body: '', user: { id: at + 1, login: 'x' } })),
    /more reviews than are imported/,
  ))
