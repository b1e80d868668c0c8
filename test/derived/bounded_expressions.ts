/**
 * Expressions that take more than linear time on some text, and that no such text reaches. A place is named with each, since the bound is that of
 * its input: the same expression elsewhere is judged like a new one.
 */

interface Bounded {
  /** What bounds the input, or the form that it always has. */
  readonly because: string
  readonly expressions: readonly (readonly [expression: RegExp, ...files: string[]])[]
}

export const bounded: readonly Bounded[] = [
  {
    because: 'the text is an address of at most 254 characters (`canReceive` of mail/addresses.ts)',
    expressions: [[/^(.).*@(.).*?(\.[^.]*)?$/u, 'src/integrations/service_desk/requests.ts']],
  },
  {
    because: 'the text is the name of a job, which has at most 255 characters (`name` of ci/config/limits.ts)',
    expressions: [[/[\s:]+\d+[\s:/\\]+\d+\s*$/, 'src/ci/reports/test_reports.ts']],
  },
  {
    because: 'the text is a path of at most 4,096 characters (code/repository/endpoints.ts)',
    expressions: [[/^\/+|\/+$/g, 'src/platform/git/trees/trees.ts']],
  },
  {
    because: 'the text has been cut to 63 characters',
    expressions: [[/^-+|-+$/g, 'src/ci/job_variables/predefined.ts']],
  },
  {
    because: 'the text has been cut to 4,000 characters',
    expressions: [[/(\w+)="([^"]*)"/g, 'src/delivery/container_registry/proxy/upstream.ts']],
  },
  {
    because: 'the text is a password of at most 128 characters (`MAX_PASSWORD_LENGTH`)',
    expressions: [[/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, 'src/identity/users/passwords/passwords.ts']],
  },
  {
    because: 'the path always ends with `.atom`: it fits from its first `/-/commits/` on, and no other one is tried',
    expressions: [[/^(\/[^?]+?\/-\/)commits\/([^?]+)\.atom(\?.*)?$/, 'src/portal/atom/address.ts']],
  },
  {
    because:
      'the text is HTML that the sanitizer or the highlighter has written: each element that begins is closed, so the first end is found',
    expressions: [
      [/<h([1-6])[^>]*><a id="(user-content-[^"]*)"[^>]*><\/a>(.*?)<\/h\1>/gs, 'src/portal/repository/files/symbols_menu.ts'],
      [/<pre class="code" lang="(?!suggestion)[^"]*".*?<\/pre>/gs, 'src/portal/markdown/body.ts'],
    ],
  },
  {
    because: 'the text is the moment of a date, as the language writes it (24 characters)',
    expressions: [
      [
        /T(.*)\.\d+Z$/,
        'src/integrations/hooks/payloads/delivery/deployment.ts',
        'src/integrations/hooks/payloads/delivery/release.ts',
        'src/integrations/hooks/payloads/ci/pipeline.ts',
      ],
    ],
  },
  {
    because: 'the text is part of the program: pages of the handbook, icons, style sheets, the schema, fields of mutations',
    expressions: [
      [/<!--[\s\S]*?-->\n?/g, 'src/portal/handbook/book.ts'],
      [/<a href="\.\.\/[^>]*>(.*?)<\/a>/g, 'src/portal/handbook/book.ts'],
      [/^.*?<svg[^>]*>|<\/svg>\s*$/gs, 'src/platform/pages/assets/build.ts'],
      [/(--[\w-]+):[^;{}]*(?:;|(?=\}))/g, 'src/platform/pages/assets/unused_properties.ts'],
      [/'((?:[^']|'')*)'::text/g, 'src/platform/db/migrating/generate.ts'],
      [/(\w+):/g, 'src/portal/graphql/mutations/run.ts'],
    ],
  },
  {
    because: 'the text is the description of this server as an SAML service, which a library writes of the settings of its administrator',
    expressions: [[/( *)<SingleLogoutService Binding="([^"]+)HTTP-POST"([^>]*)>\n?/, 'src/identity/saml/relying_party.ts']],
  },
  {
    because: 'the text is a setting, a file or a program of the administrator, read when the server starts or a command runs',
    expressions: [
      [/\/+$/, 'src/platform/config.ts'],
      [/^(?:([^<>"\r\n]*?)\s*<([^<>\s]+)>|([^<>\s]+))$/, 'src/platform/mail/addresses.ts'],
      [/^(serial|id|key|sha256):\s*(.+)$/, 'src/identity/keys/authorities.ts'],
      [/\d+(\.\d+)+/, 'src/platform/git/process/version.ts'],
    ],
  },
  {
    because: 'the text is the message of an error, on the terminal of the administrator who has run the command',
    expressions: [[/\s*\n\s*/g, 'src/server/doctor/finding.ts', 'src/server/cli/failures.ts']],
  },
]
