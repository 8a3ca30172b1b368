<#macro content>
<#if pageId == "login-password"><p>${msg("ghSetUpNext")}</p></#if>
<#if pageId == "webauthn-register"><p>${msg("ghPasskey")}</p></#if>
<#if pageId == "login-otp"><p>${msg("ghLostPhone")}</p></#if>
<p>${msg("ghNeverAsk")}</p>
<p>${msg("ghQuestions")} <a href="mailto:${properties.ghMail}">${properties.ghMail}</a></p>
</#macro>
