# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Steps of training of a small network with PyTorch, in ranges of NVTX, for cubind-prof:

    cubind-prof -f table,trace python3 mlp_step.py

The exit status is 77 if this machine has no PyTorch, or PyTorch no GPU.
"""
import sys

try:
    import torch
except ImportError as error:
    print(f"PyTorch is missing: {error}")
    sys.exit(77)
if not torch.cuda.is_available():
    print("PyTorch has no GPU.")
    sys.exit(77)

STEPS, WIDTH, BATCH = 20, 1024, 256

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.ReLU(), torch.nn.Linear(4 * WIDTH, WIDTH)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(BATCH, WIDTH, device="cuda")
targets = torch.tanh(inputs.flip(1))
losses = []
for _ in range(STEPS):
    with torch.cuda.nvtx.range("forward"):
        loss = torch.nn.functional.mse_loss(model(inputs), targets)
    with torch.cuda.nvtx.range("backward"):
        optimizer.zero_grad()
        loss.backward()
    with torch.cuda.nvtx.range("update"):
        optimizer.step()
    losses.append(loss.item())
print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f} after {STEPS} steps")
sys.exit(0 if losses[-1] < losses[0] else 1)
