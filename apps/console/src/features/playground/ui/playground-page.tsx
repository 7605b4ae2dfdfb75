import { Typesetting } from '~/ui/markdown/typeset/typesetting.tsx'
import { Composer } from './composer/composer.tsx'
import { PlaygroundSession } from './history/playground-session.tsx'
import { PlaygroundFrame } from './playground-frame.tsx'
import { SetupNotices } from './setup/setup-notices.tsx'
import { SetupProvider } from './setup/setup-provider.tsx'
import { SetupSidebar } from './setup/setup-sidebar.tsx'
import { Thread } from './thread/thread.tsx'
import { Toolbar } from './thread/toolbar.tsx'

/** The conversation of this browser, the settings for its questions, and the screen for both. */
export function PlaygroundPage() {
  return (
    <PlaygroundSession>
      <SetupProvider>
        <PlaygroundFrame
          sidebar={<SetupSidebar />}
          toolbar={<Toolbar />}
          composer={
            <>
              <SetupNotices />
              <Composer />
            </>
          }
        >
          <Typesetting>
            <Thread />
          </Typesetting>
        </PlaygroundFrame>
      </SetupProvider>
    </PlaygroundSession>
  )
}
