import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { failureReasons } from '../../ci/runner_protocol/updates/failure_reasons.ts'
import { failureWords } from './failure_words.ts'

const sources = join(import.meta.dirname, '../..')

/** The reasons with which the server itself ends jobs. */
async function ownReasons(): Promise<Set<string>> {
  const files = (await readdir(sources, { recursive: true })).filter(
    file => /^(ci|delivery)\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'),
  )
  const texts = await Promise.all(files.map(file => readFile(join(sources, file), 'utf8')))
  return new Set(
    texts.flatMap(text => [...text.matchAll(/failure(?:_reason)?: '([a-z]+_[a-z_]+)'/g)].map(([, reason]) => reason as string)),
  )
}

test('every reason for which a job can fail is said in words', async () => {
  const own = await ownReasons()

  assert.ok(own.has('downstream_bridge_project_not_found') && own.has('forward_deployment_failure'), [...own].join())
  for (const reason of [...failureReasons, ...own]) assert.notEqual(failureWords(reason), reason.replaceAll('_', ' '), reason)
  assert.equal(failureWords('some_other_failure'), 'some other failure', 'those of other versions are shown as they are')
})
