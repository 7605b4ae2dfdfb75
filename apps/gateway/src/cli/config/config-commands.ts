import type { Command } from 'commander'
import type { Config } from '../../environment/environment.ts'
import type { ApplyFlags, PlanFlags } from './config-files.ts'

export type Run = (command: (config: Config) => Promise<number>) => Promise<void>

const FILE = 'the configuration file, in YAML or JSON; - reads standard input'
const PRUNE = 'delete what the file owned and no longer lists, instead of releasing it'

/** `sluice config …` for configuration files. Each command loads its own code. */
export function addConfigCommands(config: Command, run: Run): void {
  const files = () => import('./config-files.ts')

  config
    .command('export')
    .description('print options and channels as a configuration file, with references in place of secrets')
    .option('--out <file>', 'write to a new file instead of standard output')
    .action(async ({ out }: { readonly out?: string }) => {
      await run(async (settings) => await (await files()).exportConfiguration(settings, out))
    })

  config
    .command('validate')
    .description('check a configuration file on its own, without a database')
    .requiredOption('--file <file>', FILE)
    .option('--no-secrets', 'do not resolve its references')
    .action(async ({ file, secrets }: { readonly file: string; readonly secrets: boolean }) => {
      await run(async (settings) => await (await files()).validateFile(settings, file, secrets))
    })

  config
    .command('plan')
    .description('show what a configuration file would change, and whose prices; exit code 2 if there are changes')
    .requiredOption('--file <file>', FILE)
    .option('--prune', PRUNE)
    .option('--json', 'print the plan as JSON, for apply --plan')
    .action(async (flags: PlanFlags) => {
      await run(async (settings) => await (await files()).planFile(settings, flags))
    })

  config
    .command('apply')
    .description('apply a configuration file in one transaction, even while gateways are running')
    .requiredOption('--file <file>', FILE)
    .option('--plan <file>', 'refuse if the file or the gateway has changed since this plan was made')
    .option('--prune', PRUNE)
    .option('--json', 'print the result as JSON')
    .action(async (flags: ApplyFlags) => {
      await run(async (settings) => await (await files()).applyFile(settings, flags))
    })

  config
    .command('release')
    .description('release everything that a configuration file owns; values stay as they are')
    .argument('<owner>', 'the label of the file: its field "owner", or "default"')
    .action(async (owner: string) => {
      await run(async (settings) => await (await files()).releaseOwner(settings, owner))
    })

  config
    .command('schema')
    .description('print the JSON Schema of configuration files, for editors')
    .action(async () => {
      await run(async () => (await files()).printSchema())
    })
}
