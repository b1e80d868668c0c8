import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasStars, loggedUrl, restoredUrl, shownUrl } from './shown_url.ts'

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
  [
    'https://example.com/h?webhook_token=x&user_token=y&userToken=z',
    'https://example.com/h?webhook_token=****&user_token=****&userToken=****',
  ],
  ['https://example.com/h?code=x&jwt=y&credential=z&sig=s', 'https://example.com/h?code=****&jwt=****&credential=****&sig=****'],
  [
    'https://example.com/h?token[]=x&user[token]=y&a%5Bsecret%5D=z',
    'https://example.com/h?token[]=****&user[token]=****&a%5Bsecret%5D=****',
  ],
  ['https://example.com/h?a=1;token=x', 'https://example.com/h?a=1;token=****'],
  ['https://example.com/h?t=eyJhbGciOiJIUzI1NiJ9.e30.x&glpat-0123456789abcdef', 'https://example.com/h?t=****&****'],
  ['https://example.com/h#token=x', 'https://example.com/h#token=****'],
  ['https://example.com/h#/a?access_token=x', 'https://example.com/h#/a?access_token=****'],
  ['https://ghp_0123456789abcdef:x@example.com/', 'https://****:****@example.com/'],
  ['https://s3cr3t:x-oauth-basic@example.com/', 'https://****:****@example.com/'],
  ['https://s3cr3t:@example.com/', 'https://****:****@example.com/'],
  ['https://hooks.slack.com/services/T000/B000/XXXX', 'https://hooks.slack.com/services/T000/B000/****'],
  ['https://hooks.slack.com\\services\\T000\\B000\\XXXX', 'https://hooks.slack.com\\services\\T000\\B000\\****'],
  ['https://hooks.slack.com/%73ervices/T000/B000/XXXX', 'https://hooks.slack.com/%73ervices/T000/B000/****'],
  ['https://discord.com/api/v10/webhooks/123/a-b/slack', 'https://discord.com/api/v10/webhooks/123/****/****'],
  ['https://x.webhook.office.com/webhookb2/g@h/IncomingWebhook/a/b', 'https://x.webhook.office.com/webhookb2/****/****/****/****'],
  ['https://outlook.office.com/webhook/g@h/IncomingWebhook/a/b', 'https://outlook.office.com/webhook/g@h/IncomingWebhook/****/****'],
  ['https://api.telegram.org/bot12:abc/sendMessage', 'https://api.telegram.org/****/sendMessage'],
  ['https://chat.example.com/hooks/x1b2c3d4e5f6g7h8i9j0k1l2m3', 'https://chat.example.com/hooks/****'],
  ['https://hooks.zapier.com/hooks/catch/12/abc/', 'https://hooks.zapier.com/hooks/catch/12/****/'],
  ['https://maker.example.com/trigger/push/with/key/abc', 'https://maker.example.com/trigger/push/with/key/****'],
  [
    'https://events.pagerduty.com/integration/0123456789abcdef0123456789abcdef/enqueue',
    'https://events.pagerduty.com/integration/****/enqueue',
  ],
  ['https://example.com/integration/deploy', 'https://example.com/integration/deploy'],
  ['https://example.com/h;token=x/b', 'https://example.com/h;token=****/b'],
  ['https://ci.example.com/project/group/my-app-2024', 'https://ci.example.com/project/group/my-app-2024'],
  ['no address', 'no address'],
]

for (const [url, shown] of cases)
  test(`${url} is shown as ${shown}`, () => {
    assert.equal(shownUrl(url), shown)
    assert.equal(shownUrl(shown), shown)
  })

const logged: readonly (readonly [string, string])[] = [
  ['https://user:pass@example.com:8443/gitlab/hook', 'https://example.com:8443/gitlab/hook'],
  ['https://token@example.com', 'https://example.com'],
  ['https://example.com/ci/v1.2/main_build-job.yml', 'https://example.com/ci/v1.2/main_build-job.yml'],
  ['https://example.com/h?a=1#b', 'https://example.com/h?****'],
  ['https://example.com/h#b', 'https://example.com/h?****'],
  ['https://example.com/raw/s3cr3t/a.yml', 'https://example.com/raw/****/a.yml'],
  ['https://example.com/raw/0123456789abcdef0123456789abcdef01234567/a.yml', 'https://example.com/raw/****/a.yml'],
  ['https://hooks.slack.com/services/T000/B000/XXXX', 'https://hooks.slack.com/services/****'],
  ['https://hooks.slack.com\\services\\T000\\B000\\XXXX', 'https://hooks.slack.com/services/****'],
  ['https://example.com/hook/sesame', 'https://example.com/hook/****'],
  ['https://example.com/token/sesame/a', 'https://example.com/token/****/a'],
  ['https://example.com/a%2Fb', 'https://example.com/****'],
  ['https://$HOST/$FOLDER/a.yml?x=$KEY', 'https://$HOST/$FOLDER/a.yml?****'],
  ['ftp://x/a.yml', 'ftp://x/a.yml'],
  ['s3cr3t/a?b', '****/a?****'],
]

for (const [url, shown] of logged)
  test(`${url} is logged as ${shown}`, () => {
    assert.equal(loggedUrl(url), shown)
  })

test('an address that was shown stands for the one that is stored, however a client writes it', () => {
  const stored = 'https://me:s3same@ci.example.com/?token=s3same'
  for (const given of [
    'https://me:****@ci.example.com/?token=****',
    'https://me:%2A%2a%2A%2A@ci.example.com/?token=%2A%2A%2A%2A',
    'https://me:****@CI.example.com:443?token=****',
  ])
    assert.equal(restoredUrl(given, stored), stored, given)
  for (const given of ['https://me:****@ci.example.com/?token=x', 'https://me:****@ci.example.com/a?token=****']) {
    assert.equal(restoredUrl(given, stored), given)
    assert.ok(hasStars(given))
  }
  assert.equal(restoredUrl('https://example.com:443/', 'https://example.com/'), 'https://example.com:443/')
})

test('an address with spaces in it is read in linear time', () => {
  const before = process.cpuUsage()
  assert.equal(loggedUrl(`https://${' '.repeat(100_000)}x`).length, 100_009)
  const { user } = process.cpuUsage(before)
  assert.ok(user < 2_000_000, `${user} µs`)
})
