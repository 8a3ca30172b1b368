import { Link } from 'react-router'
import { texts } from '#content/texts.ts'
import { StatusScreen } from '#ui/status-screen.tsx'

export const Unauthorised = () => <Screen {...texts.unauthorised} />
export const NotFound = () => <Screen {...texts.notFound} />

const Screen = ({ title, detail }: { title: string; detail: string }) => (
  <>
    <StatusScreen title={title} detail={detail}>
      <Link className="btn btn-secondary" to="/">
        {texts.backHome}
      </Link>
    </StatusScreen>
  </>
)
