import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownUrl } from './shown_url.ts'

const cases: readonly (readonly [string, string])[] = [
  ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['https://user:pass@example.com/a', 'https://user:****@example.com/a'],
  ['https://token@example.com/a', 'https://****@example.com/a'],
  ['https://:pass@example.com', 'https://:****@example.com'],
  ['HTTPS://user:p@ss:w@example.com:8080/@x', 'HTTPS://user:****@example.com:8080/@x'],
  ['https:////user:pass@example.com', 'https:////user:****@example.com'],
  ['https:\\\\user:pass@example.com', 'https:\\\\user:****@example.com'],
  [' https://user:pass@example.com', ' https://user:****@example.com'],
  ['https://example.com/a@b', 'https://example.com/a@b'],
  ['https://example.com?x=a@b', 'https://example.com?x=a@b'],
  ['https://example.com/h?a=1&private_token=x%20y&b=2#c', 'https://example.com/h?a=1&private_token=****&b=2#c'],
  ['https://example.com/h?TOKEN=x=y&key=&secret', 'https://example.com/h?TOKEN=****&key=****&secret'],
  ['https://example.com/h?pass%77ord=x&%=y', 'https://example.com/h?pass%77ord=****&%=y'],
  ['https://example.com/h?keyword=x&monkey=y', 'https://example.com/h?keyword=x&monkey=y'],
  ['no address', 'no address'],
]

for (const [url, shown] of cases)
  test(`${url} is shown as ${shown}`, () => {
    assert.equal(shownUrl(url), shown)
    assert.equal(shownUrl(shown), shown)
  })
