import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName } from './browser_name.ts'

test('a browser is called what people call it, and other programs nothing', () => {
  const names: Readonly<Record<string, string | undefined>> = {
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0': 'Firefox 128 on Windows',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36': 'Chrome 126 on Linux',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.68':
      'Edge 126 on Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15':
      'Safari 17 on macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1':
      'Safari 17 on iPhone',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36':
      'Chrome 126 on Android',
    'curl/8.5.0': undefined,
    'Mozilla/5.0 (compatible; bot)': undefined,
    '': undefined,
  }
  for (const [sent, name] of Object.entries(names)) assert.equal(browserName(sent), name, sent)
})
