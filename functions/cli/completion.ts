import { AppError } from '#core'
import { type CommandDefinition, command } from './commands/command.ts'
import { listed } from './commands/index.ts'

type Table = ReadonlyMap<string, readonly string[]>

const longFlags = ({ options = [] }: CommandDefinition): readonly string[] =>
  options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []))

const tableOf = (commands: readonly CommandDefinition[], globals: readonly string[]): Table => {
  const table = new Map<string, readonly string[]>([['', globals]])
  const add = (key: string, words: readonly string[]): void => {
    table.set(key, [...new Set([...(table.get(key) ?? []), ...words])])
  }
  for (const each of commands) {
    const [first = '', second] = each.name.split(' ')
    add('', [first])
    if (second !== undefined) add(first, [second, ...(each.alias === undefined ? [] : [each.alias])])
    add(each.name, [...longFlags(each), ...globals])
  }
  return table
}

const cases = (table: Table): string =>
  [...table].map(([key, words]) => `    ${JSON.stringify(key)}) words="${words.join(' ')}" ;;`).join('\n')

/** The words before the cursor that are not options name the command; files are offered if no word fits. */
const bash = (table: Table): string => `_plumbline() {
  local cursor="\${COMP_WORDS[COMP_CWORD]}" key="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    case "\${key:+$key }$word" in
${[...table.keys()]
  .filter((key) => key !== '')
  .map((key) => `      ${JSON.stringify(key)}) key=${JSON.stringify(key)} ;;`)
  .join('\n')}
    esac
  done
  case "$key" in
${cases(table)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cursor"))
}
complete -o default -F _plumbline plumbline
`

/** zsh understands the completion functions of bash. */
const zsh = (table: Table): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(table)}`

const shells: Readonly<Record<string, (table: Table) => string>> = { bash, zsh }

/** `globals`: the options of every command. */
export const completionCommand = (globals: readonly string[]) =>
  command({
    name: 'completion',
    example: 'eval "$(plumbline completion bash)"',
    description:
      'Prints a script that completes commands and options: eval "$(plumbline completion bash)" in ~/.bashrc, or eval "$(plumbline completion zsh)" in ~/.zshrc.',
    argument: ['<shell>', 'bash or zsh'],
    run: async ({ output }, shell: string) => {
      const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
      if (script === undefined)
        throw new AppError('USAGE', { detail: `completion ${shell}: the shells are bash and zsh` })
      const loaded = await Promise.all(listed.map(([, , load]) => load()))
      output.raw(
        script(
          tableOf(
            loaded.flatMap(({ commands }) => commands),
            globals,
          ),
        ),
      )
      return 0
    },
  })
