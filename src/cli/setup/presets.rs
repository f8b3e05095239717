//! The services that need no address to be typed.

/// A service with an OpenAI-compatible API.
#[derive(Debug, PartialEq, Eq)]
pub struct Preset {
    /// What the configuration calls it.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// The address of its API.
    pub base_url: &'static str,
}

const fn preset(name: &'static str, label: &'static str, base_url: &'static str) -> Preset {
    Preset {
        name,
        label,
        base_url,
    }
}

/// All of them, in the order of the menu.
pub const PRESETS: [Preset; 13] = [
    preset("openai", "OpenAI", "https://api.openai.com/v1"),
    preset("xai", "xAI", "https://api.x.ai/v1"),
    preset("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
    preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
    preset("groq", "Groq", "https://api.groq.com/openai/v1"),
    preset("mistral", "Mistral", "https://api.mistral.ai/v1"),
    preset("together", "Together AI", "https://api.together.xyz/v1"),
    preset(
        "fireworks",
        "Fireworks AI",
        "https://api.fireworks.ai/inference/v1",
    ),
    preset("moonshot", "Moonshot (Kimi)", "https://api.moonshot.ai/v1"),
    preset(
        "dashscope",
        "DashScope (Qwen)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
    ),
    preset(
        "zhipu",
        "Zhipu (GLM)",
        "https://open.bigmodel.cn/api/paas/v4",
    ),
    preset(
        "siliconflow",
        "SiliconFlow",
        "https://api.siliconflow.cn/v1",
    ),
    preset("ollama", "Ollama (local)", "http://127.0.0.1:11434/v1"),
];

/// The one of this name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
