/**
 * Where secrets become text (class "Secrets have a type"). A value of the type `Secret` cannot be printed (src/platform/secret.test.ts); these are
 * the places that ask for its text, and how often each does.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')

/** By what becomes of the text. Numbers may only shrink, except for a new place that is named here with its reason. */
const places: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'is kept: encrypted, as a digest, or in the file of the first start': {
    'src/platform/kernel/secrets.ts': 2,
    'src/identity/sessions/passwords.ts': 1,
    'src/identity/two_factor/recovery_codes.ts': 1,
    'src/server/cli/seed/seed.ts': 1,
    'src/server/setup/root.ts': 7,
    'src/server/worlds/clients.ts': 2,
    'src/server/worlds/make/world.ts': 1,
  },
  'is sent to those it is for: runners, receivers of hooks and mails, directories, servers of imports and of mails': {
    'src/identity/ldap/connection.ts': 1,
    'src/ci/runner_protocol/payload/payload.ts': 2,
    // The token of a cluster in the file that its command line reads, which the runner gets.
    'src/ci/clusters/deployment.ts': 1,
    'src/platform/git/storage/remotes/fetch.ts': 1,
    'src/integrations/hooks/deliveries/commands.ts': 1,
    'src/integrations/mirrors/remote.ts': 1,
    // The token of the user, for the server that is migrated from.
    'src/platform/outbound/remote_api.ts': 1,
    // The address that an archive is sent to, or fetched from, when it is.
    'src/integrations/project_archives/exporting/task.ts': 1,
    'src/integrations/project_archives/importing/task.ts': 1,
    'src/spaces/projects/imports/commands.ts': 1,
    'src/spaces/integration_settings/secrets.ts': 2,
    'src/server/start.ts': 1,
    'src/platform/mail/send.ts': 1,
    'src/integrations/incoming_mail/mailbox/mailbox.ts': 1,
    'src/platform/mail/outbox.ts': 4,
    'src/identity/password_resets/commands.ts': 1,
    'src/identity/email_confirmations/links.ts': 1,
    'src/spaces/invitations/mail.ts': 1,
    // Secrets of this server at sign-in providers.
    'src/identity/providers/kinds/oauth.ts': 1,
    'src/identity/saml/relying_party.ts': 2,
    // The key that encrypted assertions are read with, in a thread too.
    'src/identity/saml/assertion.ts': 1,
    'src/identity/providers/kinds/openid_connect.ts': 1,
  },
  'opens what it belongs to: the database, the bucket, the ciphertexts of the instance': {
    'src/platform/object_store/s3/client.ts': 1,
    'src/server/setup/instance.ts': 1,
    'src/server/doctor/database.ts': 1,
    // The database to restore into; the key is compared with that of a backup; the passphrase becomes the key of an archive.
    'src/server/backup/restore.ts': 1,
    'src/server/backup/kept_files.ts': 1,
    'src/server/backup/archive/frames.ts': 1,
    // The file of sign-in providers, whose secrets are secrets again.
    'src/identity/providers/file.ts': 1,
    'src/server/setup/instance_key.ts': 1,
    // Tickets of hosts of sites, which this server has written itself.
    'src/delivery/sites/serving/sign_in.ts': 1,
    // The private key that signs id tokens.
    'src/identity/signing_keys/commands.ts': 1,
    // The private keys that sign indexes of packages.
    'src/platform/openpgp/signing.ts': 1,
  },
  'is shown once, when it was made': {
    'src/server/cli/serve.ts': 1,
    'src/identity/applications/entity.ts': 1,
    'src/ci/runners/registered.ts': 1,
    'src/server/cli/accounts.ts': 1,
    'src/spaces/deploy_tokens/entity.ts': 1,
    'src/identity/oauth/authorization.ts': 1,
    'src/identity/oauth/entity.ts': 3,
    'src/identity/oauth/devices/endpoints.ts': 1,
    'src/identity/oauth/grants/grants.ts': 1,
    'src/portal/things/secret_once.ts': 1,
    'src/spaces/runners_tokens/endpoints.ts': 1,
    'src/spaces/scim_tokens/entity.ts': 1,
    'src/identity/sessions/entry.ts': 1,
    // The state that goes to a sign-in provider, and the cookie of the browser.
    'src/identity/providers/attempts.ts': 2,
    // What a kept answer of a provider is found by, once.
    'src/identity/saml/kind.ts': 1,
    'src/identity/two_factor/pending.ts': 1,
    'src/portal/settings/two_factor/view.ts': 1,
    'src/spaces/tokens/entity.ts': 3,
  },
  'is shown by the contract, to those who may change it': {
    'src/ci/pipelines/variables.ts': 1,
    'src/ci/schedules/entity.ts': 1,
    'src/ci/triggers/entity.ts': 1,
    'src/delivery/feature_flags/unleash/endpoints.ts': 1,
    'src/delivery/terraform_states/endpoints.ts': 1,
    'src/spaces/groups/entity.ts': 1,
    'src/spaces/projects/entity.ts': 1,
    'src/portal/runners/endpoints.ts': 1,
    'src/ci/variables/entity.ts': 1,
    // The registration token of the instance, to administrators.
    'src/portal/admin/ci/runners.ts': 1,
  },
  'decides something, and is not shown: rules, files to include, whether a value can be masked': {
    // The secret of an app for codes: codes are compared with it, and its owner copies it to the app.
    'src/identity/two_factor/totp.ts': 4,
    'src/ci/config/reading/includes.ts': 6,
    'src/ci/config/rules/lookup.ts': 1,
    // A key is compared with its certificate.
    'src/delivery/sites/domains/certificate.ts': 1,
    'src/ci/config/sources.ts': 6,
    'src/ci/job_variables/debug_trace.ts': 1,
    'src/ci/variables/commands.ts': 1,
  },
  'becomes part of another value, or of a name that the CI file gives': { 'src/ci/job_variables/expand_secret.ts': 2 },
  'is no secret, or only in part: an application’s id, the characters by which runners are distinguished': {
    'src/identity/applications/commands.ts': 1,
    'src/ci/runners/commands.ts': 1,
  },
}

test('secrets become text in these places, and in no other', async () => {
  const entries = await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })
  const found: Record<string, number> = {}
  for (const entry of entries) {
    const path = relative(root, join(entry.parentPath, entry.name))
    if (!path.endsWith('.ts') || path.endsWith('.test.ts') || path.endsWith('/scene.ts')) continue
    const count = (await readFile(join(root, path), 'utf8')).match(/\.reveal\b/g)?.length ?? 0
    if (count > 0) found[path] = count
  }

  assert.deepEqual(
    found,
    Object.assign({}, ...Object.values(places)),
    'you are here because a file calls reveal() and is not named for it, or no longer calls it. Keep the value a Secret and hand it on, or name the file with what becomes of the text',
  )
})
