import { useTenantConfig } from '../../brand/tenant.ts'
import { useThirdPartyScript } from '../../parts/widgets/third-party-script.ts'
import { Assistant } from './Assistant.tsx'

/** The tenant's own chatbot if it has one, otherwise ours. */
export function Chatbot() {
  const { chatbotEnabled, chatbot_script } = useTenantConfig()
  if (!chatbotEnabled) return null
  return chatbot_script ? <ForeignChatbot address={chatbot_script} /> : <Assistant />
}

function ForeignChatbot({ address }: { address: string }) {
  useThirdPartyScript('chatbot', address)
  return null
}
